import type {
  CapabilityRequest,
  Instance,
  JsonObject,
  MiniAppFailed,
  RendererItem,
  Surface,
  SurfaceDocument,
  ToolCallSummary,
} from "./contract.js";

/** A surface as it is shown; `state` and `document` are known while it is attached. Its token is not here. */
export interface SurfaceView extends Surface {
  readonly attached: boolean;
  readonly state: Readonly<JsonObject> | null;
  /** Null for `trusted-dom`, and while it is not attached. */
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
  readonly revision: number;
  readonly foreground: string | null;
  /** Bottom to top. */
  readonly focus_stack: readonly string[];
  readonly instances: readonly Instance[];
  readonly surfaces: readonly SurfaceView[];
  /** Questions that are not final, oldest first. */
  readonly interactions: readonly RendererItem[];
  /** Open calls, as of the last read and of what was told to the Agent since. */
  readonly tool_calls: readonly ToolCallSummary[];
  readonly capability_requests: readonly CapabilityRequest[];
  /** MiniApps whose logic died for good and did not start again since. */
  readonly failures: readonly MiniAppFailed[];
}
