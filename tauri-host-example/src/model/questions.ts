import { isShown, type Question, Renderer, type WorkspaceStore } from "@lineup/host";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Host } from "./host.ts";

/** The questions that wait for the user, by where they are shown. */
export class Questions {
  readonly all = signal<readonly Question[]>([]);
  readonly open: ReadonlySignal<readonly Question[]> = computed(() =>
    this.all.value.filter(({ phase }) => phase !== "ended"),
  );
  /** The policy's: in the Host's own chrome. */
  readonly policy = computed(() => this.open.value.filter(({ item }) => item.record.owner.source === "runtime_policy"));
  /** The Agent's: in Interact's timeline. */
  readonly agents = computed(() => this.open.value.filter(({ item }) => item.placement.provider === "interact"));
  readonly #host: Host;
  #renderer: Renderer | null = null;

  constructor(host: Host) {
    this.#host = host;
    addEventListener("pagehide", () => void this.#renderer?.flush().catch(() => undefined));
  }

  begin(store: WorkspaceStore): void {
    const renderer = new Renderer(this.#host.client, store);
    this.#renderer = renderer;
    renderer.subscribe(() => {
      this.all.value = renderer.getSnapshot();
      for (const question of this.all.value) if (question.phase === "ended") this.#part(question);
    });
    this.all.value = renderer.getSnapshot();
  }

  /** Those that an app asks in its container, now. */
  ofInstance(instanceId: string): readonly Question[] {
    return this.open.value.filter(
      (question) =>
        isShown(question) &&
        question.item.placement.provider === "runtime" &&
        question.item.placement.instance_id === instanceId,
    );
  }

  /** How many wait in an app, or for it to come to the front. */
  countFor(instanceId: string, isInteract: boolean): number {
    if (isInteract) return this.agents.value.length;
    const own = ({ item: { record } }: Question) =>
      record.owner.source === "miniapp_tool" && record.owner.instance_id === instanceId;
    return this.open.value.filter(own).length;
  }

  present(id: string): void {
    this.#renderer?.present(id).catch(() => undefined); // a lost connection presents it anew
  }

  choose(id: string, actionId: string): void {
    this.#renderer?.choose(id, actionId);
  }

  edit(id: string, fieldId: string, text: string): void {
    this.#renderer?.edit(id, fieldId, text);
  }

  async submit(id: string, result?: unknown): Promise<void> {
    await this.#renderer?.submit(id, result);
  }

  async cancel(id: string): Promise<void> {
    await this.#renderer?.cancel(id);
  }

  /** An ending that the user did not make is said; the Agent's stands in the timeline anyway. */
  #part({ id, ending, item: { record, placement } }: Question): void {
    queueMicrotask(() => this.#renderer?.dismiss(id));
    if (placement.provider === "interact" || ending === null) return;
    if (ending !== "answered" && ending !== "cancelled") this.#host.notes.tellEnding(ending, record.request.title);
  }
}
