import { type Peer, type RpcClient, type ServedDocument, type Transport, webSocket } from "@lineup/host";
import { type Signal, signal } from "@preact/signals";
import type { BridgeClient, BridgeNotifications } from "./bridge.ts";
import type { Elsewhere, Scenes, Shell, ShellNews } from "./shell.ts";

const KEPT_TOKEN = "lineup.token";

/** A browser tab, and the web bridge at the other end of its socket. */
export class WebShell implements Shell {
  readonly kind = "browser";
  readonly host = { name: "lineup-web-host", version: "1.0.0" };
  readonly transport: Transport;
  readonly peer: Signal<Peer> = signal({ agent_id: "agent-1", conversation_id: "conversation-1" });
  readonly elsewhere = signal<Elsewhere | null>(null);
  readonly scenes = signal<Scenes | null>(null);

  readonly #bridge: BridgeClient;
  readonly #running = new Gate();

  constructor(client: RpcClient) {
    this.#bridge = client as unknown as BridgeClient;
    keepToken(takeTokenFromAddress());
    const url = `ws://${location.host}/rpc`;
    this.transport = webSocket(url, () => ["lineup.v1", `token.${sessionStorage.getItem(KEPT_TOKEN) ?? ""}`]);
    this.#bridge.on("bridge.hello", (hello) => this.#greet(hello));
    this.#bridge.on("bridge.sidecar", ({ state }) => {
      this.elsewhere.value = null;
      if (state === "running") this.#running.open();
    });
    client.onLost(() => {
      this.elsewhere.value = null;
      this.#running.shut();
    });
  }

  prepare(): Promise<void> {
    return this.#running.passed();
  }

  listen(news: ShellNews): void {
    this.#bridge.on("bridge.scene", (scene) => news.scene(scene));
    this.#bridge.on("bridge.told", ({ scene, text }) => news.told(scene, text));
    this.#bridge.on("bridge.delivered", ({ peer, envelope, answer }) => news.delivered(peer, envelope, answer));
  }

  async serve(surface_id: string, { html, csp }: ServedDocument): Promise<string> {
    return (await this.#bridge.call("bridge.serveDocument", { surface_id, html, csp })).url;
  }

  async forget(surface_id: string): Promise<void> {
    await this.#bridge.call("bridge.forgetDocument", { surface_id });
  }

  async openOutside(address: string): Promise<void> {
    open(address, "_blank", "noopener,noreferrer");
  }

  async crash(): Promise<void> {
    await this.#bridge.call("bridge.crashSidecar", {});
  }

  #greet(hello: BridgeNotifications["bridge.hello"]): void {
    keepToken(hello.reconnect_token);
    this.peer.value = hello.peer;
    this.scenes.value = hello.agent === "scripted" ? this.#scripted() : null;
    const takeOver = async () => void (await this.#bridge.call("bridge.takeOver", {}));
    this.elsewhere.value = hello.driving ? null : { takeOver };
  }

  #scripted(): Scenes {
    return {
      list: () => this.#bridge.call("bridge.scenes", {}),
      play: async (scene) => void (await this.#bridge.call("bridge.play", { scene, peer: this.peer.value })),
      stop: async () => void (await this.#bridge.call("bridge.stop", {})),
    };
  }
}

/** The printed address brings a token once; it does not stay in the address bar. */
function takeTokenFromAddress(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null) history.replaceState(null, "", location.pathname);
  return token;
}

function keepToken(token: string | null): void {
  if (token !== null) sessionStorage.setItem(KEPT_TOKEN, token);
}

/** Something to wait for that comes and goes. */
class Gate {
  #open = false;
  #waiting: Array<() => void> = [];

  open(): void {
    this.#open = true;
    for (const pass of this.#waiting.splice(0)) pass();
  }

  shut(): void {
    this.#open = false;
    this.#waiting = [];
  }

  passed(): Promise<void> {
    return this.#open ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }
}
