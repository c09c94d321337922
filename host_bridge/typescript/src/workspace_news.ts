// What each piece of news makes of a workspace. Pure: the same object comes back where nothing changed.
import type {
  CapabilityRequest,
  Instance,
  JsonObject,
  MiniAppFailed,
  RendererItem,
  RendererRetract,
  RuntimeEnvelope,
  Surface,
  SurfaceAttachResult,
  WorkspaceChanged,
  WorkspaceSnapshot,
} from "./contract.js";
import { mergePatch } from "./merge_patch.js";
import { findSurface, isLive, type SurfaceView, type WorkspaceState } from "./workspace_state.js";

/** A snapshot replaces everything but what is known of the state of surfaces. */
export function takeSnapshot(known: WorkspaceState, snapshot: WorkspaceSnapshot): WorkspaceState {
  const surfaces = snapshot.surfaces.map((surface) => {
    const shown = findSurface(known, surface.surface_id);
    const { state = null, document = null } = shown ?? {};
    const attached = shown?.attached === true && surface.status === "open";
    return { ...surface, revision: shown?.state ? shown.revision : surface.revision, attached, state, document };
  });
  return { ...known, ...snapshot, phase: "live", surfaces, failures: stillFailed(known.failures, snapshot.instances) };
}

/** Nothing is attached any more, and what is known may be old. */
export function loseSession(known: WorkspaceState): WorkspaceState {
  if (known.phase === "empty") return known;
  return { ...known, phase: "stale", surfaces: known.surfaces.map((shown) => ({ ...shown, attached: false })) };
}

/** The whole of the instances and the focus; what belongs to an instance that is gone goes with it. */
export function takeChange(known: WorkspaceState, change: WorkspaceChanged): WorkspaceState {
  if (change.conversation_id !== known.conversation_id || change.revision < known.revision) return known;
  const { instances } = change;
  return {
    ...known,
    ...change,
    surfaces: ofLive(known.surfaces, instances),
    capability_requests: ofLive(known.capability_requests, instances),
    failures: stillFailed(known.failures, instances),
  };
}

export function openSurface(known: WorkspaceState, surface: Surface): WorkspaceState {
  if (!isLive(known, surface.instance_id)) return known;
  const opened = { ...surface, attached: false, state: null, document: null };
  return { ...known, surfaces: put(known.surfaces, opened, (one) => one.surface_id) };
}

export function closeSurface(known: WorkspaceState, surfaceId: string): WorkspaceState {
  return { ...known, surfaces: known.surfaces.filter(({ surface_id }) => surface_id !== surfaceId) };
}

export function changeSurface(known: WorkspaceState, surfaceId: string, change: Partial<SurfaceView>): WorkspaceState {
  const surfaces = known.surfaces.map((shown) => (shown.surface_id === surfaceId ? { ...shown, ...change } : shown));
  return { ...known, surfaces };
}

export function attachSurface(known: WorkspaceState, result: SurfaceAttachResult): WorkspaceState {
  const { surface_id, revision, state, title, container, document } = result;
  const change = { revision, state, title, container, document, status: "open", attached: true } as const;
  return changeSurface(known, surface_id, change);
}

/** The state after the next patch; the same where it is known already; null where one before it is missing. */
export function patchSurface(
  known: WorkspaceState,
  { surface_id, revision, patch }: { surface_id: string; revision: number; patch: JsonObject },
): WorkspaceState | null {
  const shown = findSurface(known, surface_id);
  if (shown === undefined || revision <= shown.revision) return known;
  if (shown.state === null) return changeSurface(known, surface_id, { revision });
  if (revision > shown.revision + 1) return null;
  return changeSurface(known, surface_id, { revision, state: mergePatch(shown.state, patch) });
}

export function presentItem(known: WorkspaceState, item: RendererItem): WorkspaceState {
  if (item.record.owner.conversation_id !== known.conversation_id) return known;
  return { ...known, interactions: put(known.interactions, item, ({ record }) => record.interaction_id) };
}

const ENDINGS_KEPT = 50;

export function retractItem(known: WorkspaceState, retract: RendererRetract): WorkspaceState {
  const interactions = known.interactions.filter(({ record }) => record.interaction_id !== retract.interaction_id);
  if (interactions.length === known.interactions.length) return known;
  return { ...known, interactions, endings: [...known.endings, retract].slice(-ENDINGS_KEPT) };
}

export function addRequest(known: WorkspaceState, request: CapabilityRequest): WorkspaceState {
  if (!isLive(known, request.instance_id)) return known;
  return { ...known, capability_requests: put(known.capability_requests, request, (one) => one.request_id) };
}

export function dropRequest(known: WorkspaceState, requestId: string): WorkspaceState {
  const left = known.capability_requests.filter(({ request_id }) => request_id !== requestId);
  return { ...known, capability_requests: left };
}

export function noteFailure(known: WorkspaceState, failure: MiniAppFailed): WorkspaceState {
  if (!isLive(known, failure.instance_id)) return known;
  return { ...known, failures: put(known.failures, failure, (one) => one.instance_id) };
}

/** What the Agent is told of a call is news of it for the Host. */
export function followEnvelope(known: WorkspaceState, { type, payload }: RuntimeEnvelope): WorkspaceState {
  if (type !== "lineup.v1.tool.result") return known;
  const tool_calls = known.tool_calls.filter(({ call_id }) => call_id !== payload.call_id);
  return tool_calls.length === known.tool_calls.length ? known : { ...known, tool_calls };
}

type Owned = { readonly instance_id: string };

function ofLive<T extends Owned>(items: readonly T[], instances: readonly Instance[]): readonly T[] {
  const live = new Set(instances.map(({ instance_id }) => instance_id));
  const left = items.filter(({ instance_id }) => live.has(instance_id));
  return left.length === items.length ? items : left;
}

function stillFailed(failures: readonly MiniAppFailed[], instances: readonly Instance[]): readonly MiniAppFailed[] {
  const down = instances.filter(({ state }) => state === "suspended" || state === "starting");
  return ofLive(failures, down);
}

/** The item in the place of the one with its id, else at the end. */
function put<T>(items: readonly T[], item: T, idOf: (item: T) => string): readonly T[] {
  const id = idOf(item);
  const index = items.findIndex((one) => idOf(one) === id);
  return index < 0 ? [...items, item] : items.map((one, at) => (at === index ? item : one));
}
