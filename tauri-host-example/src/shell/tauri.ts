import { type Connection, type Peer, type ServedDocument, type Transport, tauriChannel } from "@lineup/host";
import { type Signal, signal } from "@preact/signals";
import { Channel, invoke } from "@tauri-apps/api/core";
import type { Shell } from "./shell.ts";

/** A Tauri window: Rust owns the sidecar's pipes, serves surfaces and opens links. */
export class TauriShell implements Shell {
  readonly kind = "tauri";
  readonly host = { name: "lineup-tauri-host", version: "1.0.0" };
  readonly transport: Transport;
  readonly peer: Signal<Peer> = signal({ agent_id: "agent-1", conversation_id: "conversation-1" });
  /** The sidecar is this window's own. */
  readonly elsewhere = signal(null);
  readonly scenes = signal(null);
  #connection: Connection | null = null;

  constructor() {
    const channel = tauriChannel({ invoke, Channel });
    this.transport = {
      open: async (receiver) => {
        this.#connection = await channel.open(receiver);
        return this.#connection;
      },
    };
  }

  async prepare(): Promise<void> {}

  listen(): void {}

  serve(surface_id: string, { html, csp }: ServedDocument): Promise<string> {
    return invoke("surface_serve", { surface_id, html, csp });
  }

  async forget(surface_id: string): Promise<void> {
    await invoke("surface_forget", { surface_id });
  }

  async openOutside(address: string): Promise<void> {
    await invoke("open_outside", { address });
  }

  async crash(): Promise<void> {
    await this.#connection?.kill();
  }
}
