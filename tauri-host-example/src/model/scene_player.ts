import type { AgentEnvelope, TransportDeliverResult } from "@lineup/host";
import { signal } from "@preact/signals";
import type { Scene, SceneNews } from "../shell/shell.ts";
import type { Host } from "./host.ts";

/** The scripted Agent: what it can play, what plays, and what it says about it. */
export class ScenePlayer {
  readonly list = signal<readonly Scene[]>([]);
  readonly playing = signal<string | null>(null);
  readonly last = signal<SceneNews | null>(null);
  readonly lines = signal<readonly string[]>([]);
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    host.shell.listen({
      scene: (news) => this.#hear(news),
      told: (_, text) => {
        this.lines.value = [...this.lines.value, text];
      },
      delivered: (_, envelope, answer) => host.agent.learn(envelope as AgentEnvelope, answer as TransportDeliverResult),
    });
    host.supervisor.onSession(() => void this.#read());
  }

  play(scene: string): Promise<boolean> {
    return this.#host.attempt(async () => this.#host.shell.scenes.value?.play(scene));
  }

  stop(): Promise<boolean> {
    return this.#host.attempt(async () => this.#host.shell.scenes.value?.stop());
  }

  async #read(): Promise<void> {
    const scenes = this.#host.shell.scenes.value;
    if (scenes === null) return;
    await this.#host.attempt(async () => {
      const { list, playing } = await scenes.list().then((read) => ({ list: read.scenes, playing: read.playing }));
      this.list.value = list;
      this.playing.value = playing;
    });
  }

  #hear(news: SceneNews): void {
    if (news.state === "playing") this.lines.value = [];
    this.playing.value = news.state === "playing" ? news.scene : null;
    this.last.value = news;
  }
}
