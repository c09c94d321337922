import type {
  CapabilityRequest,
  Instance,
  JsonObject,
  MiniAppContext,
  MiniAppFailed,
  RendererItem,
  RendererRetract,
  Surface,
  SurfaceDocument,
  ToolCallSummary,
  WorkspaceOpenParams,
} from "./contract.js";

/** A surface as it is shown. `state` and `document` are known once it was attached; its token is not here. */
export interface SurfaceView extends Surface {
  /** Whether it is attached in this session: false after a loss, until it is attached again. */
  readonly attached: boolean;
  readonly state: Readonly<JsonObject> | null;
  /** Null for `trusted-dom`. */
  readonly document: SurfaceDocument | null;
}

/**
 * A conversation as the Host shows it. Each change makes a new one, which shares what did not change.
 *
 * `phase`: `empty` before it was read; `live` while it is followed; `stale` from a loss until it is read again.
 */
export interface WorkspaceState {
  readonly phase: "empty" | "live" | "stale";
  readonly conversation_id: string;
  readonly agent_id: string;
  /** Of the last news. It counts what is not told too, so that a jump is no gap. */
  readonly revision: number;
  readonly foreground: string | null;
  /** Bottom to top. */
  readonly focus_stack: readonly string[];
  readonly instances: readonly Instance[];
  readonly surfaces: readonly SurfaceView[];
  /** Questions that are not final, oldest first. */
  readonly interactions: readonly RendererItem[];
  /** How the newest of the others ended, oldest first. */
  readonly endings: readonly RendererRetract[];
  /** Open calls as of the last read, without those that ended since. */
  readonly tool_calls: readonly ToolCallSummary[];
  readonly capability_requests: readonly CapabilityRequest[];
  /** MiniApps whose logic died for good and did not start again since. */
  readonly failures: readonly MiniAppFailed[];
}

export function emptyWorkspace({ conversation_id, agent_id }: WorkspaceOpenParams): WorkspaceState {
  return {
    phase: "empty",
    conversation_id,
    agent_id,
    revision: -1,
    foreground: null,
    focus_stack: [],
    instances: [],
    surfaces: [],
    interactions: [],
    endings: [],
    tool_calls: [],
    capability_requests: [],
    failures: [],
  };
}

export function findSurface(known: WorkspaceState, surfaceId: string): SurfaceView | undefined {
  return known.surfaces.find(({ surface_id }) => surface_id === surfaceId);
}

export function isLive(known: WorkspaceState, instanceId: string): boolean {
  return known.instances.some(({ instance_id }) => instance_id === instanceId);
}

/** Who an instance is, as its view may know it. */
export function contextOf(instance: Instance): MiniAppContext {
  const { app_scope, instance_id, conversation_id, app_version, state } = instance;
  return { app_scope, instance_id, conversation_id, app_version, state, mode: app_scope === "chat" ? "im" : null };
}
