// What is needed of a browser, so that the package's types ask for no DOM: real windows, frames and ports fit.

/** A window that messages go to and come from. */
export interface MessageWindow {
  postMessage(message: unknown, targetOrigin: string, transfer: unknown[]): void;
}

export interface WindowMessage {
  readonly data: unknown;
  readonly source: unknown;
}

/** The Host's window, as far as it hears. */
export interface HostWindow {
  addEventListener(type: "message", listener: (event: WindowMessage) => void): void;
  removeEventListener(type: "message", listener: (event: WindowMessage) => void): void;
}

/** An `iframe`. */
export interface Frame {
  readonly contentWindow: MessageWindow | null;
  src: string;
  title: string;
  setAttribute(name: string, value: string): void;
  addEventListener(type: "load", listener: () => void): void;
  remove(): void;
}

/** The element that a frame is put into, in place of all that is in it. */
export interface FrameContainer {
  readonly ownerDocument: { createElement(tag: "iframe"): Frame };
  /** Takes a frame of its own document; `never`, since a structural type has no Node. */
  replaceChildren(frame: never): void;
}

export interface MessagePortLike {
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
}
