/**
 * Why a message of a frame was refused.
 *
 * `unknown_window`: no frame that is shown; `malformed`: not a message of the protocol; `ready_again`: the port was given
 * already; `stale`: from a frame that is not shown any more; `method`, `params`, `size`, `rate`: a request that may not
 * be, cannot be read, is too large or too much.
 */
export type FrameRefusal =
  | "unknown_window"
  | "malformed"
  | "ready_again"
  | "stale"
  | "method"
  | "params"
  | "size"
  | "rate";

export type RefusalCounts = Readonly<Partial<Record<FrameRefusal, number>>>;

/** Counts what was refused, for an inspector. */
export class RefusalCounter {
  readonly #counts: Partial<Record<FrameRefusal, number>> = {};
  #total = 0;

  count(refusal: FrameRefusal): void {
    this.#total += 1;
    this.#counts[refusal] = (this.#counts[refusal] ?? 0) + 1;
  }

  get counts(): RefusalCounts {
    return { ...this.#counts };
  }

  get total(): number {
    return this.#total;
  }
}
