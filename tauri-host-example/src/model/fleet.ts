import type { Instance } from "@lineup/host";
import { computed, type ReadonlySignal } from "@preact/signals";
import type { Host } from "./host.ts";

/** The MiniApps: those that live, in the order of the focus stack, and those that could. */
export class Fleet {
  /** From the front to the back. */
  readonly live: ReadonlySignal<readonly Instance[]>;
  readonly interact: ReadonlySignal<Instance | null>;
  readonly front: ReadonlySignal<Instance | null>;
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    this.live = computed(() => {
      const { instances, focus_stack } = host.workspace.value;
      const place = (id: string) => focus_stack.indexOf(id);
      return [...instances].sort((one, other) => place(other.instance_id) - place(one.instance_id));
    });
    this.interact = computed(() => this.live.value.find(({ app_scope }) => app_scope === "chat") ?? null);
    this.front = computed(() => {
      const { foreground, instances } = host.workspace.value;
      return instances.find(({ instance_id }) => instance_id === foreground) ?? null;
    });
  }

  async read(): Promise<void> {
    await this.#host.attempt(async () => {
      this.#host.miniapps.value = (await this.#host.client.call("miniapp.list")).miniapps;
    });
  }

  open(app_scope: string): Promise<boolean> {
    const { conversation_id } = this.#host.workspace.value;
    return this.#host.attempt(() => this.#host.client.call("miniapp.open", { conversation_id, app_scope }));
  }

  toFront(instance_id: string): Promise<boolean> {
    return this.#host.attempt(() => this.#host.client.call("miniapp.foreground", { instance_id }));
  }

  toBack(instance_id: string): Promise<boolean> {
    return this.#host.attempt(() => this.#host.client.call("miniapp.background", { instance_id }));
  }

  close(instance_id: string): Promise<boolean> {
    return this.#host.attempt(() => this.#host.client.call("miniapp.close", { instance_id }));
  }

  async setEnabled(app_scope: string, enabled: boolean): Promise<void> {
    await this.#host.attempt(() => this.#host.client.call("miniapp.setEnabled", { app_scope, enabled }));
    await this.read();
  }
}
