import type { InitializeParams, Peer, RpcClient, ServedDocument, Transport } from "@lineup/host";
import type { ReadonlySignal } from "@preact/signals";

/** Another window drives this Runtime; `takeOver` makes this one the Host. */
export interface Elsewhere {
  readonly takeOver: () => Promise<void>;
}

/** A scene that a scripted Agent can play, and what it says while it does. */
export interface Scene {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
}

export interface SceneNews {
  readonly scene: string;
  readonly state: "playing" | "ended" | "failed" | "stopped";
  readonly message: string;
}

/** A scripted Agent beside the page's own console. */
export interface Scenes {
  readonly list: () => Promise<{ scenes: Scene[]; playing: string | null }>;
  readonly play: (scene: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What a shell hears beside the protocol; each is told in the order of the wire. */
export interface ShellNews {
  readonly scene: (news: SceneNews) => void;
  readonly told: (scene: string, text: string) => void;
  readonly delivered: (peer: Peer, envelope: unknown, answer: unknown) => void;
}

/** What differs between the browser and a Tauri window, and nothing else. */
export interface Shell {
  readonly kind: "browser" | "tauri";
  readonly transport: Transport;
  readonly host: InitializeParams["host"];
  /** The conversation to open; known once `prepare` is done. */
  readonly peer: ReadonlySignal<Peer>;
  readonly elsewhere: ReadonlySignal<Elsewhere | null>;
  readonly scenes: ReadonlySignal<Scenes | null>;

  /** Done on each connection before `initialize`, for as long as it takes. */
  prepare(): Promise<void>;
  listen(news: ShellNews): void;
  /** An address from which a sandboxed frame loads the document, with its CSP as a header. */
  serve(surfaceId: string, document: ServedDocument): Promise<string>;
  forget(surfaceId: string): Promise<void>;
  /** Open a web or mail address outside of this window. Where it is refused, this says why. */
  openOutside(address: string): Promise<void>;
  /** End the Runtime as a crash would. */
  crash(): Promise<void>;
}

export type MakeShell = (client: RpcClient) => Shell;
