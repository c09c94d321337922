import type { NotificationMap, NotificationMessage } from "./contract.js";
import { Listeners } from "./observable.js";

export type NotificationName = keyof NotificationMap;
export type NotificationHandler<N extends NotificationName> = (params: NotificationMap[N]) => void;

/** How many notifications a stream keeps for a reader that is behind. */
export const STREAM_LIMIT = 10_000;

/** Hands notifications to those who listen, in the order of the wire, across restarts. */
export class NotificationHub {
  readonly #listeners = new Listeners<NotificationMessage>();
  readonly #onError: (error: unknown) => void;

  /** An error that a handler throws goes to `onError`; the others still hear. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  on<N extends NotificationName>(name: N, handler: NotificationHandler<N>): () => void {
    return this.onAny((message) => {
      if (message.method === name) handler(message.params as NotificationMap[N]);
    });
  }

  onAny(handler: (message: NotificationMessage) => void): () => void {
    return this.#listeners.add((message) => {
      try {
        handler(message);
      } catch (error) {
        this.#onError(error);
      }
    });
  }

  /** Iterate from now on; leaving the loop or aborting the signal ends it. A reader over the limit behind fails. */
  stream<N extends NotificationName>(name: N, signal?: AbortSignal): AsyncIterableIterator<NotificationMap[N]> {
    return new NotificationStream<NotificationMap[N]>((push) => this.on(name, push), signal);
  }

  tell(message: NotificationMessage): void {
    this.#listeners.tell(message);
  }
}

class NotificationStream<T> implements AsyncIterableIterator<T> {
  #queue: T[] = [];
  #waiting: Array<{ resolve: (result: IteratorResult<T>) => void }> = [];
  #overrun = false;
  #done = false;
  readonly #stop: () => void;

  constructor(listen: (push: (params: T) => void) => () => void, signal?: AbortSignal) {
    const stop = listen((params) => this.#push(params));
    const abort = () => void this.return();
    signal?.addEventListener("abort", abort, { once: true });
    this.#stop = () => {
      stop();
      signal?.removeEventListener("abort", abort);
    };
    if (signal?.aborted) abort();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<T>> {
    const [first] = this.#queue;
    if (first !== undefined) {
      this.#queue.shift();
      return { done: false, value: first };
    }
    if (this.#overrun) throw new Error(`the reader is over ${STREAM_LIMIT} notifications behind`);
    if (this.#done) return { done: true, value: undefined };
    return new Promise((resolve) => this.#waiting.push({ resolve }));
  }

  async return(): Promise<IteratorResult<T>> {
    this.#end();
    this.#queue = [];
    return { done: true, value: undefined };
  }

  #push(params: T): void {
    const reader = this.#waiting.shift();
    if (reader !== undefined) reader.resolve({ done: false, value: params });
    else if (this.#queue.push(params) > STREAM_LIMIT) {
      this.#queue.pop();
      this.#overrun = true;
      this.#end();
    }
  }

  #end(): void {
    this.#done = true;
    this.#stop();
    for (const { resolve } of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
  }
}
