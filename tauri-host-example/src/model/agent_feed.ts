import type { JsonObject, ToolCallOutcome, ToolCallStatus, ToolError, ToolProgress } from "@lineup/host";

/** A Tool call as the Agent's side knows it. */
export interface AgentCall {
  readonly call_id: string;
  readonly tool_id: string;
  readonly input: JsonObject;
  readonly at: string;
  readonly status: ToolCallStatus | "sending";
  readonly progress: ToolProgress | null;
  readonly result: JsonObject | null;
  readonly error: ToolError | null;
  readonly reason: string | null;
}

/** What passed between the Agent and the Runtime, in the Agent's order. */
export type FeedItem = { readonly id: string; readonly at: string } & (
  | { readonly kind: "said"; readonly text: string; readonly format: "markdown" | "plain" }
  | { readonly kind: "heard"; readonly text: string; readonly format: "markdown" | "plain" }
  | { readonly kind: "call"; readonly call_id: string }
  | { readonly kind: "session"; readonly open: boolean; readonly app_scope: string; readonly reason: string | null }
  | { readonly kind: "inventory"; readonly revision: string; readonly tools: number }
  | { readonly kind: "receipt"; readonly call_id: string; readonly outcome: string }
  | { readonly kind: "refused"; readonly what: string; readonly code: string; readonly message: string }
);

export interface Feed {
  readonly items: readonly FeedItem[];
  readonly calls: Readonly<Record<string, AgentCall>>;
  /** Outbox rows that were taken in; a row that comes again is acknowledged and changes nothing. */
  readonly taken: readonly string[];
}

export const EMPTY_FEED: Feed = { items: [], calls: {}, taken: [] };

const MAX_ITEMS = 300;
const MAX_TAKEN = 2_000;
const FINAL: readonly string[] = ["completed", "failed", "cancelled", "expired", "rejected"];

export function isFinal(status: AgentCall["status"]): boolean {
  return FINAL.includes(status);
}

/** The feed with one more item; the oldest go, and the calls that nobody shows any more. */
export function withItem(feed: Feed, item: FeedItem): Feed {
  if (feed.items.some((one) => one.id === item.id)) return feed;
  const items = [...feed.items, item].slice(-MAX_ITEMS);
  const shown = new Set(items.flatMap((one) => (one.kind === "call" ? [one.call_id] : [])));
  const calls = Object.fromEntries(
    Object.entries(feed.calls).filter(([id, call]) => shown.has(id) || !isFinal(call.status)),
  );
  return { ...feed, items, calls };
}

export function withCall(feed: Feed, call: AgentCall): Feed {
  const item: FeedItem = { id: `call:${call.call_id}`, at: call.at, kind: "call", call_id: call.call_id };
  return withItem({ ...feed, calls: { ...feed.calls, [call.call_id]: call } }, item);
}

/** A call as it goes on; one that ended stays as it ended. */
export function withChange(feed: Feed, call_id: string, change: Partial<AgentCall>): Feed {
  const call = feed.calls[call_id];
  if (call === undefined || isFinal(call.status)) return feed;
  return { ...feed, calls: { ...feed.calls, [call_id]: { ...call, ...change } } };
}

export function withTaken(feed: Feed, outbox_id: string): Feed {
  return { ...feed, taken: [...feed.taken, outbox_id].slice(-MAX_TAKEN) };
}

export function endingOf(payload: {
  status: ToolCallOutcome;
  result?: JsonObject;
  error?: ToolError;
  reason?: string;
  message?: string;
}): Partial<AgentCall> {
  const { status, result, error, reason, message } = payload;
  return { status, result: result ?? null, error: error ?? null, reason: message || reason || null };
}
