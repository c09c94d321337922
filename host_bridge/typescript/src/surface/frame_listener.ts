import { isObject } from "../json.js";
import type { Frame, HostWindow, WindowMessage } from "./dom.js";
import { RefusalCounter, type RefusalCounts } from "./refusals.js";

type OnMessage = (data: unknown) => void;

/**
 * Hears what frames post to the Host's window, and tells by the window alone whose it is: all of their origins are
 * "null", and what a message says of itself proves nothing.
 */
export class FrameListener {
  readonly #window: HostWindow;
  readonly #frames = new Map<Frame, OnMessage>();
  readonly #refused = new RefusalCounter();

  constructor(window: HostWindow) {
    this.#window = window;
    window.addEventListener("message", this.#hear);
  }

  /** Messages of no frame that is shown. */
  get refused(): RefusalCounts {
    return this.#refused.counts;
  }

  /** Hear a frame; the result ends it. */
  listen(frame: Frame, onMessage: OnMessage): () => void {
    this.#frames.set(frame, onMessage);
    return () => void this.#frames.delete(frame);
  }

  dispose(): void {
    this.#window.removeEventListener("message", this.#hear);
    this.#frames.clear();
  }

  readonly #hear = ({ data, source }: WindowMessage): void => {
    for (const [frame, onMessage] of this.#frames) {
      if (source !== null && source === frame.contentWindow) return onMessage(data);
    }
    // Other code of the page posts messages too; only what claims to be ours is refused.
    if (isObject(data) && "lineup" in data) this.#refused.count("unknown_window");
  };
}
