import {
  type AgentEnvelope,
  ConnectionLostError,
  type JsonObject,
  type Peer,
  type RpcClient,
  type RuntimeEnvelope,
  type TransportDeliverResult,
  type TransportSend,
} from "@lineup/host";
import { signal } from "@preact/signals";
import {
  type AgentCall,
  EMPTY_FEED,
  endingOf,
  type Feed,
  type FeedItem,
  withCall,
  withChange,
  withItem,
  withTaken,
} from "./agent_feed.ts";
import type { Inventory } from "./inventory.ts";

const KEPT = "lineup.agent";

/** What `deliver` takes: an envelope without its id. */
type Said = { [E in AgentEnvelope as E["type"]]: { type: E["type"]; payload: E["payload"] } }[AgentEnvelope["type"]];

/**
 * The Agent's side of the transport: what it is told and what it says.
 *
 * An envelope has one `message_id` however often it is handed in, so that a connection that breaks in between does
 * nothing twice.
 */
export class Agent {
  readonly feed = signal<Feed>(remember());
  readonly inventory = signal<Inventory | null>(null);

  /** Called after each envelope that the Runtime took. */
  onAccepted: () => void = () => undefined;

  readonly #client: RpcClient;
  readonly #peer: () => Peer;
  readonly #ready: () => Promise<unknown>;
  readonly #revision: () => string;

  constructor(client: RpcClient, peer: () => Peer, ready: () => Promise<unknown>, revision: () => string) {
    this.#client = client;
    this.#peer = peer;
    this.#ready = ready;
    this.#revision = revision;
    this.feed.subscribe(keep);
  }

  say(text: string): Promise<TransportDeliverResult> {
    return this.deliver({ type: "lineup.v1.message", payload: { text, format: "markdown" } });
  }

  invoke(tool_id: string, input: JsonObject): Promise<TransportDeliverResult> {
    const payload = { call_id: newId("call"), tool_id, inventory_revision: this.#revision(), input };
    return this.deliver({ type: "lineup.v1.tool.invoke", payload });
  }

  /** Give a call up: a question is taken back, any other Tool cancelled. */
  giveUp(call: AgentCall): Promise<TransportDeliverResult> {
    const payload = { control_id: newId("control"), call_id: call.call_id };
    const isQuestion = call.tool_id.startsWith("interaction.");
    return this.deliver({ type: isQuestion ? "lineup.v1.interaction.dismiss" : "lineup.v1.tool.cancel", payload });
  }

  /** Hand an envelope in, again after each loss, until the Runtime has decided about it. */
  async deliver(said: Said): Promise<TransportDeliverResult> {
    const envelope = { ...said, message_id: newId("message"), sent_at: new Date().toISOString() };
    this.#begin(envelope as AgentEnvelope);
    while (true) {
      await this.#ready();
      try {
        const params = { peer: this.#peer(), envelope: envelope as typeof envelope & { payload: JsonObject } };
        const answer = await this.#client.call("transport.deliver", params);
        this.learn(envelope as AgentEnvelope, answer);
        return answer;
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
      }
    }
  }

  /** What became of an envelope, whoever of the Agent's side handed it in. */
  learn(envelope: AgentEnvelope, answer: TransportDeliverResult): void {
    this.#begin(envelope);
    const { payload } = envelope;
    if (answer.status === "accepted") this.onAccepted();
    if (answer.status === "rejected") this.#refuse(envelope, answer);
    else if ("tool_id" in payload || "kind" in payload) this.#change(payload.call_id, { status: "waiting_for_app" });
    if (answer.receipt !== null) {
      const { call_id, outcome, control_id } = answer.receipt;
      this.#add({ id: `receipt:${control_id}`, at: now(), kind: "receipt", call_id, outcome });
    }
  }

  /** Take a row of the outbox in, once. */
  take({ outbox_id, envelope }: TransportSend): void {
    if (this.feed.value.taken.includes(outbox_id)) return;
    this.feed.value = withTaken(this.feed.value, outbox_id);
    this.#hear(envelope as unknown as RuntimeEnvelope);
  }

  #hear(envelope: RuntimeEnvelope): void {
    const { message_id: id, sent_at: at, type, payload } = envelope;
    if (type === "lineup.v1.client.inventory") {
      this.inventory.value = { revision: payload.revision, tools: payload.tools };
      this.#add({ id, at, kind: "inventory", revision: payload.revision, tools: payload.tools.length });
    } else if (type === "lineup.v1.message") {
      this.#add({ id, at, kind: "heard", text: payload.text, format: payload.format });
    } else if (type === "lineup.v1.tool.progress") {
      this.#change(payload.call_id, { status: "running", progress: payload.progress });
    } else if (type === "lineup.v1.tool.result") {
      this.#change(payload.call_id, endingOf(payload));
    } else if (type === "lineup.v1.tool.rejected") {
      const error = { code: payload.code, message: payload.message };
      this.#change(payload.call_id, { status: "rejected", error });
    } else if (type === "lineup.v1.app.session.opened") {
      this.#add({ id, at, kind: "session", open: true, app_scope: payload.app_scope, reason: null });
    } else if (type === "lineup.v1.app.session.closed") {
      this.#add({ id, at, kind: "session", open: false, app_scope: payload.app_scope, reason: payload.reason });
    }
  }

  #begin(envelope: AgentEnvelope): void {
    const { message_id: id, type, payload, sent_at } = envelope;
    const at = sent_at ?? now();
    if (type === "lineup.v1.message") {
      this.#add({ id, at, kind: "said", text: payload.text, format: payload.format ?? "markdown" });
    } else if (type === "lineup.v1.tool.invoke" && this.feed.value.calls[payload.call_id] === undefined) {
      this.feed.value = withCall(this.feed.value, newCall(payload.call_id, payload.tool_id, payload.input, at));
    } else if (type === "lineup.v1.tool.call" && this.feed.value.calls[payload.call_id] === undefined) {
      const tool_id = `interaction.${payload.kind}`;
      this.feed.value = withCall(this.feed.value, newCall(payload.call_id, tool_id, payload.request, at));
    }
  }

  #refuse({ message_id, type, payload }: AgentEnvelope, answer: TransportDeliverResult): void {
    const error = { code: answer.code ?? "rejected", message: answer.message ?? "" };
    if ("tool_id" in payload || "kind" in payload) this.#change(payload.call_id, { status: "rejected", error });
    else this.#add({ id: `refused:${message_id}`, at: now(), kind: "refused", what: type, ...error });
  }

  #add(item: FeedItem): void {
    this.feed.value = withItem(this.feed.value, item);
  }

  #change(call_id: string, change: Partial<AgentCall>): void {
    this.feed.value = withChange(this.feed.value, call_id, change);
  }
}

function newCall(call_id: string, tool_id: string, input: JsonObject, at: string): AgentCall {
  return { call_id, tool_id, input, at, status: "sending", progress: null, result: null, error: null, reason: null };
}

export function newId(kind: string): string {
  return `${kind}-${crypto.randomUUID()}`;
}

function now(): string {
  return new Date().toISOString();
}

/** The Agent's memory lives as long as the tab. */
function remember(): Feed {
  try {
    return (JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Feed | null) ?? EMPTY_FEED;
  } catch {
    return EMPTY_FEED;
  }
}

function keep(feed: Feed): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(feed));
  } catch {
    // Full: the next page begins without the oldest of it.
  }
}
