import { ConnectionLostError, type Loss } from "./errors.js";

/** A request on its way. `resolve` is called in the order of the wire, synchronously. */
export interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One connection's life: what is asked on it is answered on it, or fails with it.
 *
 * Ids go on counting from one generation to the next, so that an old answer fits no new request (B13).
 */
export class Generation {
  loss: Loss | null = null;
  readonly #pending = new Map<number, Pending | null>();

  expect(id: number, pending: Pending): void {
    this.#pending.set(id, pending);
  }

  /** Nobody waits any more; the answer that will still come is no fault. */
  abandon(id: number): void {
    if (this.#pending.has(id)) this.#pending.set(id, null);
  }

  /** Take the request that an answer belongs to: undefined where there is none, null where it was given up. */
  settle(id: number): Pending | null | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  lose(loss: Loss): void {
    this.loss = loss;
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of waiting) pending?.reject(new ConnectionLostError(loss));
  }
}
