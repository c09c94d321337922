/** How often, and how soon, what ended may be started again. Times are milliseconds. */
export interface RestartPolicy {
  /** Before the first, second, … restart within the window; their number is how many there may be. */
  readonly delaysMs: readonly number[];
  readonly withinMs: number;
}

export const RESTART_POLICY: RestartPolicy = { delaysMs: [100, 500, 1_000, 3_000, 10_000], withinMs: 180_000 };

/** Counts restarts in a sliding window of a clock that only goes forward. */
export class RestartBudget {
  #times: number[] = [];
  readonly #policy: RestartPolicy;

  constructor(policy: RestartPolicy) {
    this.#policy = policy;
  }

  /** Spend one restart: how long to wait for it, or null where there were too many. */
  spend(now: number): number | null {
    this.#times = this.#times.filter((time) => now - time < this.#policy.withinMs);
    const delay = this.#policy.delaysMs[this.#times.length];
    if (delay === undefined) return null;
    this.#times.push(now);
    return delay;
  }

  reset(): void {
    this.#times = [];
  }
}
