import type { SurfaceDocument } from "../contract.js";
import { ConnectionLostError, isRefusal } from "../errors.js";
import { isObject } from "../json.js";
import { Cell, type Observable } from "../observable.js";
import { findSurface, type SurfaceView } from "../workspace_state.js";
import type { WorkspaceStore } from "../workspace_store.js";
import { addressOf, type DocumentServer } from "./documents.js";
import type { Frame, FrameContainer } from "./dom.js";
import type { FrameListener } from "./frame_listener.js";
import { type FrameRefusal, RefusalCounter, type RefusalCounts } from "./refusals.js";
import { ViewPort } from "./view_port.js";

export type Theme = "light" | "dark";

/**
 * `loading` until the view has its port, `connected` from then on. `failed`: the view is gone from the page, `error` says
 * why, and `show` begins anew. `closed`: the surface is gone, or the bridge was closed.
 */
export interface BridgeState {
  readonly phase: "idle" | "loading" | "connected" | "failed" | "closed";
  /** Counts the frames that were asked for. */
  readonly generation: number;
  readonly error: string | null;
}

export interface BridgeOptions {
  readonly store: WorkspaceStore;
  readonly surfaceId: string;
  readonly documents: DocumentServer;
  readonly listener: FrameListener;
  readonly container: FrameContainer;
  /** Null: as the system prefers. */
  readonly theme?: Theme | null;
  readonly locale?: string;
  /** From the frame being in the page to its first word. */
  readonly readyTimeoutMs?: number;
}

/** How long a document may take to show that it is still the one that was given the port. */
const HELLO_MS = 1_000;

/** How many refused messages a view may send before it is taken away. */
const MAX_REFUSED = 1_000;

/** Shows one sandboxed surface: makes its frame, gives the frame one port, and ends both when either misbehaves. */
export class SurfaceBridge implements Observable<BridgeState> {
  readonly #options: BridgeOptions;
  readonly #state = new Cell<BridgeState>({ phase: "idle", generation: 0, error: null });
  readonly #stop: () => void;
  #theme: Theme | null;
  #locale: string | null;
  #refused = new RefusalCounter();
  /** The generation whose document is served; 0 where none is. */
  #served = 0;
  #frame: Frame | null = null;
  #port: ViewPort | null = null;
  #endListening: () => void = () => undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#theme = options.theme ?? null;
    this.#locale = options.locale ?? null;
    this.#stop = options.store.subscribe(() => this.#follow());
  }

  readonly getSnapshot = (): BridgeState => this.#state.getSnapshot();
  readonly subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener);

  /** What was refused of this generation's frame. */
  get refused(): RefusalCounts {
    return this.#refused.counts;
  }

  /** Attach the surface and load its view, anew where it was shown. What goes wrong is in the state. */
  async show(): Promise<void> {
    const { phase, generation } = this.getSnapshot();
    if (phase === "closed") return;
    this.#takeAway();
    this.#refused = new RefusalCounter();
    this.#set("loading", generation + 1);
    try {
      await this.#options.store.surfaces.attach(this.#options.surfaceId); // #follow goes on from there
    } catch (error) {
      this.#stumble(generation + 1, error);
    }
  }

  setTheme(theme: Theme | null): void {
    this.#theme = theme;
    this.#port?.tell("theme", theme);
  }

  setLocale(locale: string): void {
    this.#locale = locale;
    this.#port?.tell("locale", locale);
  }

  /** Take the view away and detach the surface; the bridge is of no more use. */
  async close(): Promise<void> {
    if (this.getSnapshot().phase === "closed") return;
    this.#end();
    try {
      await this.#options.store.surfaces.detach(this.#options.surfaceId);
    } catch (error) {
      if (!(error instanceof ConnectionLostError) && !isRefusal(error, "surface_not_found")) throw error;
    }
  }

  /** Serve the document and put a frame with its address into the page. */
  async #load(generation: number): Promise<void> {
    const { documents, surfaceId } = this.#options;
    const document = this.#shown()?.document ?? null;
    if (document === null) throw new Error("the surface has no document to be shown in a frame");
    const address = await addressOf(documents, surfaceId, document);
    if (this.#is("loading", generation)) this.#put(address, document, generation);
  }

  #put(address: string, { sandbox }: SurfaceDocument, generation: number): void {
    const { container, listener, readyTimeoutMs = 10_000 } = this.#options;
    const frame = container.ownerDocument.createElement("iframe");
    this.#frame = frame;
    frame.setAttribute("sandbox", sandbox.join(" "));
    frame.setAttribute("allow", "");
    frame.setAttribute("referrerpolicy", "no-referrer");
    frame.title = this.#shown()?.title ?? "";
    frame.src = address;
    this.#endListening = listener.listen(frame, (data) => this.#greet(generation, data));
    let loads = 0;
    frame.addEventListener("load", () => {
      loads += 1;
      if (loads > 1) this.#lookAgain(generation);
    });
    this.#timer = setTimeout(() => this.#failWith(generation, "the view did not start"), readyTimeoutMs);
    container.replaceChildren(frame as never);
  }

  /**
   * The frame has loaded once more: another document, whose view is over, or in WebKit a link within the same one. The
   * port tells them apart, since it has stayed with the document that it was given to.
   */
  #lookAgain(generation: number): void {
    if (generation !== this.getSnapshot().generation) return;
    const fail = () => this.#failWith(generation, "the view went to another page, or loaded again");
    if (this.#port === null) return fail();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(fail, HELLO_MS);
    this.#port.greet(() => clearTimeout(this.#timer));
  }

  /** Answer a view's `ready` with its port, once. */
  #greet(generation: number, data: unknown): void {
    const target = this.#frame?.contentWindow;
    const shown = this.#shown();
    if (!isObject(data) || data["lineup"] !== "ready") return this.#refuse(generation, "malformed");
    if (this.#port !== null) return this.#refuse(generation, "ready_again");
    if (!this.#is("loading", generation) || !target || !shown) return;
    clearTimeout(this.#timer);
    const { port1, port2 } = new MessageChannel();
    this.#port = new ViewPort(port1, this.#options.store, shown, (refusal) => this.#refuse(generation, refusal));
    this.#follow();
    const hello = { lineup: "port", surface_id: shown.surface_id, theme: this.#theme, locale: this.#locale };
    target.postMessage(hello, "*", [port2]); // the origin is opaque; nothing that is secret goes this way
    this.#set("connected", generation);
  }

  #refuse(generation: number, refusal: FrameRefusal): void {
    if (generation !== this.getSnapshot().generation) return;
    this.#refused.count(refusal);
    if (this.#refused.total > MAX_REFUSED) this.#failWith(generation, "the view sent too much that is refused");
  }

  /** Bring the view in step with the store. */
  #follow(): void {
    const { phase, generation } = this.getSnapshot();
    if (phase === "idle" || phase === "failed" || phase === "closed") return;
    const workspace = this.#options.store.getSnapshot();
    const shown = this.#shown();
    if (workspace.phase !== "live") return;
    if (shown === undefined) return this.#end();
    if (shown.status === "failed" && this.#frame !== null) return this.#fail(generation, "its MiniApp has failed");
    if (phase === "loading" && shown.attached && this.#served !== generation) {
      this.#served = generation;
      this.#load(generation).catch((error: unknown) => this.#stumble(generation, error));
    }
    this.#port?.follow(
      shown,
      workspace.instances.find(({ instance_id }) => instance_id === shown.instance_id),
    );
  }

  /** After a loss the store attaches again, and #follow loads again; anything else is final. */
  #stumble(generation: number, error: unknown): void {
    if (!(error instanceof ConnectionLostError)) return this.#failWith(generation, messageOf(error));
    if (this.#served === generation) this.#served = 0;
  }

  /** The view is at fault: its MiniApp is told. */
  #failWith(generation: number, message: string): void {
    const { phase } = this.getSnapshot();
    if (phase !== "loading" && phase !== "connected") return;
    if (generation !== this.getSnapshot().generation) return;
    this.#fail(generation, message);
    const { store, surfaceId } = this.#options;
    store.surfaces.fail(surfaceId, message).catch(() => undefined); // it is gone, or will be attached again
  }

  #fail(generation: number, message: string): void {
    this.#takeAway();
    this.#set("failed", generation, message);
  }

  #end(): void {
    this.#stop();
    this.#takeAway();
    this.#set("closed", this.getSnapshot().generation);
  }

  #takeAway(): void {
    clearTimeout(this.#timer);
    this.#endListening();
    this.#port?.close();
    this.#frame?.remove();
    this.#port = null;
    this.#frame = null;
  }

  #shown(): SurfaceView | undefined {
    return findSurface(this.#options.store.getSnapshot(), this.#options.surfaceId);
  }

  #is(phase: BridgeState["phase"], generation: number): boolean {
    const state = this.getSnapshot();
    return state.phase === phase && state.generation === generation;
  }

  #set(phase: BridgeState["phase"], generation: number, error: string | null = null): void {
    this.#state.set({ phase, generation, error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
