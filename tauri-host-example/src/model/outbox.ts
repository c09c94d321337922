import type { TransportSend } from "@lineup/host";
import { effect, signal } from "@preact/signals";
import type { Host } from "./host.ts";

/** The Host's transport: takes rows to the Agent's side, and says so to the Runtime. */
export class Outbox {
  /** Rows that arrived and are not acknowledged yet, oldest first. */
  readonly rows = signal<readonly TransportSend[]>([]);
  /** Rows wait for the user's word; for looking at what is on its way. */
  readonly held = signal(false);
  readonly online = signal(true);
  /** How many rows the Runtime keeps, as it said last. */
  readonly pending = signal(0);

  readonly #host: Host;
  #acking = false;

  constructor(host: Host) {
    this.#host = host;
    host.client.on("transport.send", (row) => this.#take(row));
    host.client.onLost(() => {
      this.rows.value = [];
    });
    host.supervisor.onSession(() => {
      if (!this.online.value) void this.#tellOnline(false); // each session begins online
    });
    effect(() => {
      if (!this.held.value && this.rows.value.length > 0) this.#ackSoon();
    });
  }

  setOnline(online: boolean): Promise<boolean> {
    return this.#host.attempt(async () => {
      await this.#tellOnline(online);
      this.online.value = online;
      if (!online) this.rows.value = [];
    });
  }

  #take(row: TransportSend): void {
    if (row.peer.conversation_id === this.#host.shell.peer.value.conversation_id) this.#host.agent.take(row);
    if (this.rows.value.some(({ outbox_id }) => outbox_id === row.outbox_id)) return;
    this.rows.value = [...this.rows.value, row];
  }

  async #tellOnline(online: boolean): Promise<void> {
    const { pending } = await this.#host.client.call("transport.setOnline", { online });
    this.pending.value = pending;
  }

  /** All that came together is acknowledged together, once it is in the Agent's feed. */
  #ackSoon(): void {
    if (this.#acking) return;
    this.#acking = true;
    setTimeout(() => void this.#ack());
  }

  async #ack(): Promise<void> {
    const outbox_ids = this.rows.value.map(({ outbox_id }) => outbox_id);
    try {
      if (outbox_ids.length > 0) await this.#host.client.call("transport.ack", { outbox_ids });
      this.rows.value = this.rows.value.filter(({ outbox_id }) => !outbox_ids.includes(outbox_id));
    } catch {
      // Lost: they come again in the next session, and are acknowledged then.
    } finally {
      this.#acking = false;
      if (!this.held.value && this.rows.value.length > 0 && this.#host.client.connected) this.#ackSoon();
    }
  }
}
