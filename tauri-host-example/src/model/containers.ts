import { type FrameContainer, FrameListener, SurfaceBridge, type Theme } from "@lineup/host";
import { effect, type Signal, signal } from "@preact/signals";
import type { Host } from "./host.ts";
import { language, theme } from "./preferences.ts";

/** Gives each live instance a container and each surface a place: trusted DOM is attached, a frame gets its bridge. */
export class Containers {
  /** The frames that are shown now, by surface. */
  readonly bridges: Signal<ReadonlyMap<string, SurfaceBridge>> = signal(new Map());
  /** Hears what frames post to this window. */
  readonly listener = new FrameListener(window);
  readonly #host: Host;
  #mounted: ReadonlySet<string> = new Set();
  #attached: ReadonlySet<string> = new Set();

  constructor(host: Host) {
    this.#host = host;
    effect(() => {
      if (!host.isLive.value) return;
      const { instances, surfaces } = host.workspace.value;
      const trusted = surfaces.filter(({ container, status }) => container === "trusted-dom" && status === "open");
      this.#mounted = begin(
        instances.map(({ instance_id }) => instance_id),
        this.#mounted,
        (id) => host.store.mount(id),
      );
      this.#attached = begin(
        trusted.map(({ surface_id }) => surface_id),
        this.#attached,
        (id) => host.store.surfaces.attach(id),
      );
    });
    effect(() => {
      for (const bridge of this.bridges.value.values()) bridge.setTheme(chosenTheme());
    });
    effect(() => {
      for (const bridge of this.bridges.value.values()) bridge.setLocale(language.value);
    });
  }

  /** Show a surface in an element of the page; the result takes it away. */
  show(surfaceId: string, container: FrameContainer): () => void {
    const { store, shell } = this.#host;
    const look = { theme: chosenTheme(), locale: language.peek() };
    const bridge = new SurfaceBridge({
      store,
      surfaceId,
      documents: shell,
      listener: this.listener,
      container,
      ...look,
    });
    this.bridges.value = new Map(this.bridges.peek()).set(surfaceId, bridge);
    void bridge.show();
    return () => {
      const others = new Map(this.bridges.peek());
      if (others.get(surfaceId) === bridge) others.delete(surfaceId);
      this.bridges.value = others;
      void bridge.close().catch(() => undefined); // what cannot be said any more is true anyway
      void shell.forget(surfaceId).catch(() => undefined);
    };
  }
}

function chosenTheme(): Theme | null {
  return theme.value === "system" ? null : theme.value;
}

/** Begin with what is new; what is gone may come again. What fails is news by itself. */
function begin(
  ids: readonly string[],
  known: ReadonlySet<string>,
  one: (id: string) => Promise<unknown>,
): ReadonlySet<string> {
  for (const id of ids) {
    if (!known.has(id)) void one(id).catch(() => undefined);
  }
  return new Set(ids);
}
