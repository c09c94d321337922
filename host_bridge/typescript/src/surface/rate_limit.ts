/** A bucket of `burst` that fills at `perSecond`: one is taken for each request. */
export class RateLimit {
  #left: number;
  #at: number;
  readonly #burst: number;
  readonly #perSecond: number;

  constructor(burst: number, perSecond: number, now: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
    this.#at = now;
  }

  /** Take one at `now`, in milliseconds; whether there was one. */
  take(now: number): boolean {
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) * this.#perSecond) / 1_000);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
