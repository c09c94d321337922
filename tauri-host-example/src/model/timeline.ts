import type { JsonObject, JsonValue, WorkspaceState } from "@lineup/host";

export interface TimelineEntry {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly text: string;
  readonly entry: Readonly<JsonObject>;
}

/** Interact's state, read with care: it is a MiniApp's word like any other. */
export interface Timeline {
  readonly surfaceId: string;
  readonly entries: readonly TimelineEntry[];
  /** What Interact refused to do, and why. */
  readonly refusal: { readonly event: string; readonly code: string; readonly reason: string } | null;
}

let last: { state: unknown; timeline: Timeline } | null = null;

/** Interact's timeline, in its order; null while it is not attached. */
export function timelineOf({ surfaces, instances }: WorkspaceState): Timeline | null {
  const interact = instances.find(({ app_scope }) => app_scope === "chat");
  const surface = surfaces.find(
    ({ container, instance_id }) => container === "trusted-dom" && instance_id === interact?.instance_id,
  );
  if (surface?.state == null) return null;
  if (last?.state !== surface.state) last = { state: surface.state, timeline: read(surface.surface_id, surface.state) };
  return last.timeline;
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function read(surfaceId: string, state: Readonly<JsonObject>): Timeline {
  const { entries, refusal } = state;
  const listed = isObject(entries) ? Object.entries(entries).flatMap(([id, entry]) => readEntry(id, entry)) : [];
  listed.sort((one, other) => compare(one.at, other.at) || compare(one.id, other.id));
  return { surfaceId, entries: listed, refusal: isObject(refusal) ? readRefusal(refusal) : null };
}

function readRefusal({ event, code, reason }: JsonObject): Timeline["refusal"] {
  return { event: textOf(event), code: textOf(code), reason: textOf(reason) };
}

function readEntry(id: string, entry: JsonValue): TimelineEntry[] {
  if (!isObject(entry)) return [];
  return [{ id, at: textOf(entry["at"]), kind: textOf(entry["kind"]), text: textOf(entry["text"]), entry }];
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
