import type { Arguments, Method, NotificationMap, NotificationMessage, Result } from "./contract.js";
import { LIMITS } from "./contract.js";
import { ConnectionLostError, type Loss, type ProtocolFault, ResponseError, UnsendableError } from "./errors.js";
import { Generation } from "./generation.js";
import { writeJson } from "./json.js";
import { type Incoming, readMessages } from "./messages.js";
import { type NotificationHandler, NotificationHub, type NotificationName } from "./notifications.js";
import { Listeners } from "./observable.js";
import { type Connection, endNow, type Receiver, type Transport } from "./transport.js";

export interface CallOptions<R> {
  /** Gives up waiting: the promise rejects with the signal's reason. The request itself cannot be taken back. */
  readonly signal?: AbortSignal;
  /** Called with the result in the order of the wire: before any later notification is heard, unlike the promise. */
  readonly onResult?: (result: R) => void;
}

/** One request of a batch. */
export type Call = {
  [M in Method]: readonly [M, ...Arguments<M>];
}[Method];

type Outcomes<C extends readonly Call[]> = { -readonly [I in keyof C]: PromiseSettledResult<Result<C[I][0]>> };
type Send = (text: string) => void | Promise<void>;

const NOT_CONNECTED: Loss = { message: "there is no connection to the Runtime" };

/**
 * Asks the Runtime and hears it, over whatever carries texts.
 *
 * One client outlives many connections: handlers stay, requests do not.
 */
export class RpcClient {
  #lastId = 0;
  #generation: Generation | null = null;
  #loss: Loss = NOT_CONNECTED;
  #send: Send = () => undefined;
  readonly #notifications = new NotificationHub((error) => this.#blame(error));
  readonly #faults = new Listeners<ProtocolFault>();
  readonly #losses = new Listeners<Loss>();

  get connected(): boolean {
    return this.#generation !== null;
  }

  /** Begin a generation whose texts go to `send`; the last one, if it still lives, is lost. */
  attach(send: Send): Receiver {
    this.detach({ message: "another connection took its place" });
    const generation = new Generation();
    this.#generation = generation;
    this.#send = send;
    return {
      receive: (text) => {
        for (const message of readMessages(text)) this.#take(generation, message);
      },
      fault: (fault) => this.#faults.tell(fault),
      lost: (loss) => this.#lose(generation, loss),
    };
  }

  /** End the generation from this side: what is pending is rejected. */
  detach(loss: Loss): void {
    if (this.#generation !== null) this.#lose(this.#generation, loss);
  }

  /** Open a transport and attach to it. @throws ConnectionLostError */
  async connect(transport: Transport): Promise<Connection> {
    let connection: Connection | undefined;
    const receiver = this.attach((text) => {
      if (connection === undefined) throw new ConnectionLostError({ message: "the connection is not open yet" });
      return connection.send(text);
    });
    const generation = this.#generation;
    try {
      connection = await transport.open(receiver);
    } catch (error) {
      const loss = error instanceof ConnectionLostError ? error.loss : { message: reasonOf(error) };
      receiver.lost(loss);
      throw new ConnectionLostError(loss);
    }
    if (this.#generation !== generation || generation === null) {
      await endNow(connection);
      throw new ConnectionLostError(generation?.loss ?? NOT_CONNECTED);
    }
    return connection;
  }

  /** Ask. @throws ResponseError, ConnectionLostError, UnsendableError, or the signal's reason */
  call<M extends Method>(
    method: M,
    ...[params, options]: [...Arguments<M>, options?: CallOptions<Result<M>>]
  ): Promise<Result<M>> {
    const given = options as CallOptions<Result<M>> | undefined;
    return new Promise<Result<M>>((resolve, reject) => {
      given?.signal?.throwIfAborted();
      const generation = this.#living();
      const id = ++this.#lastId;
      const text = writeJson({ jsonrpc: "2.0", id, method, params: params ?? {} });
      const abort = () => {
        generation.abandon(id);
        reject(given?.signal?.reason);
      };
      const settled = () => given?.signal?.removeEventListener("abort", abort);
      generation.expect(id, {
        resolve: (result) => {
          settled();
          resolve(result as Result<M>);
          this.#hand(result as Result<M>, given?.onResult);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      given?.signal?.addEventListener("abort", abort, { once: true });
      this.#ask(generation, [id], text);
    });
  }

  /** Ask all at once, as one message; each outcome in its place. @throws ConnectionLostError, UnsendableError */
  async batch<const C extends readonly Call[]>(calls: C): Promise<Outcomes<C>> {
    if (calls.length === 0) return [] as unknown as Outcomes<C>;
    if (calls.length > LIMITS.max_batch) throw new UnsendableError(`a batch holds at most ${LIMITS.max_batch} calls`);
    const generation = this.#living();
    const requests = calls.map(([method, params]) => ({
      jsonrpc: "2.0",
      id: ++this.#lastId,
      method,
      params: params ?? {},
    }));
    const text = writeJson(requests);
    const answers = requests.map(
      ({ id }) => new Promise<unknown>((resolve, reject) => generation.expect(id, { resolve, reject })),
    );
    this.#ask(
      generation,
      requests.map(({ id }) => id),
      text,
    );
    return (await Promise.allSettled(answers)) as Outcomes<C>;
  }

  /** Say that this Host is done; the sidecar ends. */
  exit(): void {
    this.#write(this.#living(), writeJson({ jsonrpc: "2.0", method: "exit", params: {} }));
  }

  /** Hear a notification, in order and across connections; the result ends it. */
  on<N extends NotificationName>(name: N, handler: NotificationHandler<N>): () => void {
    return this.#notifications.on(name, handler);
  }

  /** Hear every notification. */
  onAny(handler: (message: NotificationMessage) => void): () => void {
    return this.#notifications.onAny(handler);
  }

  /** Iterate over notifications from now on, across connections. */
  stream<N extends NotificationName>(name: N, signal?: AbortSignal): AsyncIterableIterator<NotificationMap[N]> {
    return this.#notifications.stream(name, signal);
  }

  /** Hear of what arrived that is not the protocol, and of handlers that failed. */
  onFault(handler: (fault: ProtocolFault) => void): () => void {
    return this.#faults.add(handler);
  }

  /** Hear of each loss, after everything that was pending has been rejected. */
  onLost(handler: (loss: Loss) => void): () => void {
    return this.#losses.add(handler);
  }

  #living(): Generation {
    if (this.#generation === null) throw new ConnectionLostError(this.#loss);
    return this.#generation;
  }

  /** Write requests; where they are not sent each of them fails, and the connection goes on. */
  #ask(generation: Generation, ids: readonly number[], text: string): void {
    try {
      this.#write(generation, text);
    } catch (error) {
      for (const id of ids) generation.settle(id)?.reject(error);
    }
  }

  #write(generation: Generation, text: string): void {
    const failed = (error: unknown) =>
      this.#lose(generation, { message: `the message could not be written: ${reasonOf(error)}` });
    try {
      this.#send(text)?.catch(failed);
    } catch (error) {
      if (error instanceof UnsendableError) throw error;
      failed(error);
    }
  }

  #take(generation: Generation, message: Incoming): void {
    if (generation !== this.#generation) return;
    if (message.kind === "fault") return this.#faults.tell(message);
    if (message.kind === "notification") return this.#notifications.tell(message as unknown as NotificationMessage);
    const pending = generation.settle(message.id);
    if (pending === undefined) return this.#faults.tell({ message: "an answer to nothing that was asked" });
    if (pending === null) return;
    if (message.kind === "error") pending.reject(new ResponseError(message.error));
    else pending.resolve(message.result);
  }

  #hand<R>(result: R, onResult: ((result: R) => void) | undefined): void {
    try {
      onResult?.(result);
    } catch (error) {
      this.#blame(error);
    }
  }

  #lose(generation: Generation, loss: Loss): void {
    if (generation !== this.#generation) return;
    this.#generation = null;
    this.#loss = loss;
    generation.lose(loss);
    this.#losses.tell(loss);
  }

  #blame(error: unknown): void {
    this.#faults.tell({ message: `a handler failed: ${reasonOf(error)}` });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
