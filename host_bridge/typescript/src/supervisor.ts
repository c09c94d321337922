import type { InitializeParams, InitializeResult } from "./contract.js";
import { PROTOCOL_VERSION } from "./contract.js";
import { ConnectionLostError, type Loss, ResponseError } from "./errors.js";
import { Cell, Listeners, type Observable } from "./observable.js";
import { RESTART_POLICY, RestartBudget, type RestartPolicy } from "./restart_budget.js";
import type { RpcClient } from "./rpc_client.js";
import { type Connection, endNow, type Transport } from "./transport.js";

export type SupervisorState =
  | { readonly phase: "stopped" }
  | { readonly phase: "starting"; readonly restarts: number }
  | { readonly phase: "ready"; readonly restarts: number; readonly session: InitializeResult }
  | { readonly phase: "waiting"; readonly restarts: number; readonly delayMs: number; readonly loss: Loss }
  /** Nothing more happens of itself; `loss.stderr` has the end of the log. `retry` begins anew. */
  | { readonly phase: "failed"; readonly restarts: number; readonly loss: Loss }
  | { readonly phase: "stopping" };

export interface SupervisorOptions {
  readonly initialize: Omit<InitializeParams, "protocol_version">;
  /** Done on each connection before `initialize`, for as long as it takes; where it rejects, the supervisor fails. */
  readonly prepare?: () => Promise<unknown>;
  readonly restarts?: RestartPolicy;
  /** For opening and for `initialize`, each. */
  readonly startTimeoutMs?: number;
  /** For `shutdown` and for each step after it. */
  readonly stopTimeoutMs?: number;
}

/** Keeps a session going: starts the sidecar, initializes it, and starts it again when it ends unasked. */
export class Supervisor implements Observable<SupervisorState> {
  readonly client: RpcClient;
  readonly #transport: Transport;
  readonly #options: SupervisorOptions;
  readonly #budget: RestartBudget;
  readonly #state = new Cell<SupervisorState>({ phase: "stopped" });
  readonly #sessions = new Listeners<InitializeResult>();
  #connection: Connection | null = null;
  #restarts = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped: Promise<void> | null = null;

  constructor(client: RpcClient, transport: Transport, options: SupervisorOptions) {
    this.client = client;
    this.#transport = transport;
    this.#options = options;
    this.#budget = new RestartBudget(options.restarts ?? RESTART_POLICY);
    client.onLost((loss) => this.#lost(loss));
  }

  readonly getSnapshot = (): SupervisorState => this.#state.getSnapshot();
  readonly subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener);

  /** Call `handler` with each session, before anything else is heard in it: here snapshots are asked for. */
  onSession(handler: (session: InitializeResult) => void): () => void {
    return this.#sessions.add(handler);
  }

  /** Start, if it is not started. @throws ConnectionLostError where it failed or was stopped */
  async start(): Promise<InitializeResult> {
    await this.#stopped;
    const { phase } = this.getSnapshot();
    if (phase === "stopped" || phase === "failed") this.retry();
    return this.#ready();
  }

  /** Start now, whatever was tried before. */
  retry(): void {
    const { phase } = this.getSnapshot();
    if (phase === "starting" || phase === "ready" || phase === "stopping") return;
    this.#budget.reset();
    this.#restarts = 0;
    void this.#start();
  }

  /** End the sidecar: `shutdown` and `exit`, else the end of its input, else a kill. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop().finally(() => {
      this.#stopped = null;
    });
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer);
    const connection = this.#connection;
    this.#state.set({ phase: "stopping" });
    const steps = [() => this.#sayGoodbye(), () => connection?.close(), () => connection?.kill()];
    for (const step of steps) {
      if (this.client.connected) await this.#tryToEnd(step);
    }
    this.client.detach({ message: "the sidecar was stopped" });
    this.#state.set({ phase: "stopped" });
  }

  async #start(): Promise<void> {
    clearTimeout(this.#timer);
    this.#state.set({ phase: "starting", restarts: this.#restarts });
    let connection: Connection | null = null;
    try {
      this.#watchStart("the sidecar could not be reached");
      connection = await this.client.connect(this.#transport);
      if (this.getSnapshot().phase !== "starting") return endNow(connection);
      this.#connection = connection;
      clearTimeout(this.#timer);
      await this.#options.prepare?.();
      if (this.#connection !== connection) return; // lost meanwhile, and perhaps started again
      this.#watchStart("the sidecar did not answer initialize");
      const params = { protocol_version: PROTOCOL_VERSION, ...this.#options.initialize };
      await this.client.call("initialize", params, { onResult: (session) => this.#begin(session) });
    } catch (error) {
      // A loss was told already. Anything else is an answer that another start would not change.
      if (error instanceof ConnectionLostError || this.#connection !== connection) return;
      const answer = error instanceof ResponseError ? { answer: error.error } : {};
      this.client.detach({ message: messageOf(error), final: true, ...answer });
    }
  }

  #begin(session: InitializeResult): void {
    clearTimeout(this.#timer);
    if (this.getSnapshot().phase !== "starting") return;
    this.#state.set({ phase: "ready", restarts: this.#restarts, session });
    this.#sessions.tell(session);
  }

  #watchStart(what: string): void {
    const timeout = this.#options.startTimeoutMs ?? 10_000;
    this.#timer = setTimeout(() => this.client.detach({ message: `${what} within ${timeout / 1_000} s` }), timeout);
  }

  #lost(loss: Loss): void {
    clearTimeout(this.#timer);
    void endNow(this.#connection);
    this.#connection = null;
    const { phase } = this.getSnapshot();
    if (phase !== "starting" && phase !== "ready") return;
    const delayMs = loss.final ? null : this.#budget.spend(performance.now());
    if (delayMs === null) return this.#state.set({ phase: "failed", restarts: this.#restarts, loss });
    this.#restarts += 1;
    this.#timer = setTimeout(() => void this.#start(), delayMs);
    this.#state.set({ phase: "waiting", restarts: this.#restarts, delayMs, loss });
  }

  #ready(): Promise<InitializeResult> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const state = this.getSnapshot();
        if (state.phase === "starting" || state.phase === "waiting") return;
        stop();
        if (state.phase === "ready") resolve(state.session);
        else reject(new ConnectionLostError("loss" in state ? state.loss : { message: "the sidecar was stopped" }));
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  async #sayGoodbye(): Promise<void> {
    await this.client.call("shutdown");
    this.client.exit();
  }

  /** Do a step and wait for the end of the connection, both for a while. */
  #tryToEnd(step: () => void | Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(done, this.#options.stopTimeoutMs ?? 5_000);
      const stop = this.client.onLost(done);
      Promise.resolve().then(step).catch(done);
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
