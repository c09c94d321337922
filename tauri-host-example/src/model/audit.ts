import type { AuditEntry, RpcClient } from "@lineup/host";
import { computed, type Signal, signal } from "@preact/signals";

const PAGE = 50;

/** The audit, read backwards: the Runtime hands it out oldest first. */
export class AuditTrail {
  /** Newest first. */
  readonly entries: Signal<readonly AuditEntry[]> = signal([]);
  readonly hasOlder = computed(() => (this.entries.value.at(-1)?.seq ?? 1) > 1);
  readonly #client: RpcClient;

  constructor(client: RpcClient) {
    this.#client = client;
  }

  /** What has come since, or at first the newest page. */
  async readNewest(): Promise<void> {
    const newest = this.entries.value[0]?.seq ?? Math.max(0, (await this.#findLast()) - PAGE);
    let after = newest;
    while (true) {
      const page = await this.#page(after, PAGE * 10);
      this.entries.value = [...page.reverse(), ...this.entries.value];
      const last = this.entries.value[0]?.seq ?? 0;
      if (page.length < PAGE * 10 || last === after) return;
      after = last;
    }
  }

  async readOlder(): Promise<void> {
    const oldest = this.entries.value.at(-1)?.seq ?? 1;
    const page = await this.#page(Math.max(0, oldest - 1 - PAGE), PAGE);
    const older = page.filter(({ seq }) => seq < oldest).reverse();
    this.entries.value = [...this.entries.value, ...older];
  }

  async #page(after_seq: number, limit: number): Promise<AuditEntry[]> {
    return (await this.#client.call("audit.list", { after_seq, limit })).entries;
  }

  /** The newest sequence number: doubled until nothing is there, then halved. */
  async #findLast(): Promise<number> {
    const exists = async (seq: number) => (await this.#page(seq - 1, 1)).length > 0;
    let low = 0;
    let high = 1;
    while (await exists(high)) {
      low = high;
      high *= 2;
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (await exists(middle)) low = middle;
      else high = middle;
    }
    return low;
  }
}
