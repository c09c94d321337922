// A page with frames, without a browser: a frame runs the real client of a view (miniapps/sdk/surface/lineup.js) in a
// realm of its own, and messages are cloned between them. What a browser does beyond that is tested in one.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { onTestFinished } from "vitest";
import type { DocumentServer, Frame, FrameContainer, HostWindow } from "../../src/index.js";

const LINEUP = readFileSync(new URL("../../../../miniapps/sdk/surface/lineup.js", import.meta.url), "utf8");

type Listener = (event: { data: unknown; source: unknown; ports?: unknown[] }) => void;

/** A window: it hears messages, and in a frame it has a view. */
export class Window implements HostWindow {
  readonly heard: unknown[] = [];
  readonly #listeners = new Set<Listener>();

  addEventListener(_: "message", listener: Listener): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: "message", listener: Listener): void {
    this.#listeners.delete(listener);
  }

  /** Deliver a message, later, as a browser does. */
  deliver(data: unknown, source: unknown, ports: unknown[] = []): void {
    const clone = structuredClone(data);
    setImmediate(() => {
      this.heard.push(clone);
      for (const listener of [...this.#listeners]) listener({ data: clone, source, ports });
    });
  }

  postMessage(data: unknown, _: string, ports: unknown[] = []): void {
    this.deliver(data, null, ports);
  }
}

/** The page of a Host with one container. */
export class Page {
  readonly window = new Window();
  readonly frames: PageFrame[] = [];
  /** What a frame does once it is in the page; by default it connects as a view does. */
  start: (frame: PageFrame) => void = (frame) => frame.load();

  constructor() {
    onTestFinished(() => {
      for (const frame of this.frames) frame.remove();
    });
  }

  readonly container: FrameContainer = {
    ownerDocument: {
      createElement: () => {
        const frame = new PageFrame(this.window);
        this.frames.push(frame);
        return frame;
      },
    },
    replaceChildren: (frame: PageFrame) => {
      frame.contentWindow = new Window();
      this.start(frame);
    },
  };

  get frame(): PageFrame {
    const frame = this.frames.at(-1);
    if (frame === undefined) throw new Error("there is no frame");
    return frame;
  }
}

/** What a view makes of `LineUp.connect()`. */
export interface View {
  readonly state: Record<string, unknown>;
  readonly revision: number;
  readonly context: Record<string, unknown>;
  update(patch: object): Promise<void>;
  emit(event: string, payload?: object): Promise<void>;
  submit(artifact: object): Promise<string>;
  requestClose(): Promise<void>;
  addEventListener(type: string, listener: () => void): void;
}

export class PageFrame implements Frame {
  src = "";
  title = "";
  contentWindow: Window | null = null;
  readonly attributes: Record<string, string> = {};
  readonly dataset: Record<string, string> = {};
  view: Promise<View> | undefined;
  readonly #host: Window;
  readonly #onLoad: Array<() => void> = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #ports: MessagePort[] = [];

  constructor(host: Window) {
    this.#host = host;
  }

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }

  addEventListener(_: "load", listener: () => void): void {
    this.#onLoad.push(listener);
  }

  remove(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.contentWindow = null;
  }

  /** Run the view's client, and tell of the load. */
  load(): void {
    this.view = runInContext(`${LINEUP}; LineUp.connect()`, this.#realm()) as Promise<View>;
    this.fireLoad();
  }

  /** The document goes, and what it held with it. */
  leave(): void {
    for (const port of this.#ports) port.close();
  }

  fireLoad(): void {
    for (const listener of this.#onLoad) listener();
  }

  /** Post to the Host as the frame's own code. */
  post(data: unknown): void {
    this.#host.deliver(data, this.contentWindow);
  }

  #realm(): object {
    const own = this.contentWindow;
    const parent = { postMessage: (data: unknown) => this.#host.deliver(data, own) };
    const heard = new Map<Listener, Listener>();
    return createContext({
      parent,
      document: { documentElement: { dataset: this.dataset } },
      addEventListener: (type: "message", listener: Listener) => {
        heard.set(listener, (event) => {
          this.#ports.push(...((event.ports ?? []) as MessagePort[]));
          listener({ ...event, source: parent });
        });
        own?.addEventListener(type, heard.get(listener) as Listener);
      },
      removeEventListener: (type: "message", listener: Listener) => {
        own?.removeEventListener(type, heard.get(listener) as Listener);
      },
      setTimeout: (act: () => void, ms: number) => {
        const timer = setTimeout(act, ms);
        this.#timers.add(timer);
        return timer;
      },
      clearTimeout,
      EventTarget,
      Event,
    });
  }
}

/** Serves nothing; it remembers what it was given. */
export class Documents implements DocumentServer {
  readonly served: Array<{ surfaceId: string; html: string; csp: string }> = [];
  address = "http://127.0.0.1:9/";

  async serve(surfaceId: string, document: { html: string; csp: string }): Promise<string> {
    this.served.push({ surfaceId, ...document });
    return `${this.address}${this.served.length}`;
  }
}
