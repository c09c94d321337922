import type { Peer } from "@lineup/host";
import type { Scene, SceneNews } from "./shell.ts";

/** The web bridge's own messages: `host_bridge/web/README.md`. */
export interface BridgeRequests {
  "bridge.takeOver": { params: Record<string, never>; result: Record<string, never> };
  "bridge.serveDocument": { params: { surface_id: string; html: string; csp: string }; result: { url: string } };
  "bridge.forgetDocument": { params: { surface_id: string }; result: Record<string, never> };
  "bridge.crashSidecar": { params: Record<string, never>; result: Record<string, never> };
  "bridge.scenes": { params: Record<string, never>; result: { scenes: Scene[]; playing: string | null } };
  "bridge.play": { params: { scene: string; peer?: Peer }; result: Record<string, never> };
  "bridge.stop": { params: Record<string, never>; result: { stopped: boolean } };
}

export interface BridgeNotifications {
  "bridge.hello": {
    reconnect_token: string;
    driving: boolean;
    surface_origin: string;
    max_message_bytes: number;
    agent: "scripted" | "none";
    peer: Peer;
  };
  "bridge.sidecar": {
    state: "starting" | "running" | "ended" | "given_up";
    restarts: number;
    exit_code: number | null;
    stderr_tail: string;
    retry_after_ms: number | null;
  };
  "bridge.scene": SceneNews;
  "bridge.told": { scene: string; text: string };
  "bridge.delivered": { peer: Peer; envelope: unknown; answer: unknown };
}

/** The client's view of the bridge: the same connection, another vocabulary. */
export interface BridgeClient {
  call<M extends keyof BridgeRequests>(
    method: M,
    params: BridgeRequests[M]["params"],
  ): Promise<BridgeRequests[M]["result"]>;
  on<N extends keyof BridgeNotifications>(name: N, handler: (params: BridgeNotifications[N]) => void): () => void;
}
