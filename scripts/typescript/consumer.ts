// Proof by compilation: the generated maps are enough to type a client, and wrong uses do not compile.

import {
  ERROR_CODES,
  LIMITS,
  PROTOCOL_VERSION,
  REFUSAL_CODES,
  REFUSAL_TEXTS,
  SURFACE_METHODS,
  type AgentEnvelope,
  type Arguments,
  type InboxMessage,
  type Method,
  type MethodMap,
  type NotificationMap,
  type NotificationMessage,
  type RefusalCode,
  type Result,
  type RpcError,
  type RuntimeEnvelope,
  type StandardInteractionRequest,
  type StandardInteractionResult,
  type SurfaceAttachResult,
  type WorkspaceSnapshot,
} from "../../rpc_schema/generated/lineup";

interface Client {
  call<M extends Method>(method: M, ...params: Arguments<M>): Promise<Result<M>>;
  on<N extends keyof NotificationMap>(method: N, listener: (params: NotificationMap[N]) => void): void;
}

function unreachable(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}

export async function useMethods(client: Client): Promise<WorkspaceSnapshot> {
  const session = await client.call("initialize", {
    protocol_version: PROTOCOL_VERSION,
    host: { name: "consumer", version: "1.0.0" },
  });
  const told: number | undefined = session.limits["max_message_bytes"];
  const bytes: number = told ?? LIMITS.max_message_bytes;
  await client.call("ping");
  await client.call("ping", {});
  await client.call("audit.list");
  await client.call("audit.list", { limit: Math.min(bytes, 10) });
  const nothing: null = await client.call("shutdown");
  const snapshot = await client.call("workspace.open", { conversation_id: "c", agent_id: "a" });
  const first = snapshot.instances[0];
  const scope: string | undefined = first?.app_scope;
  await client.call("miniapp.open", { conversation_id: snapshot.conversation_id, app_scope: scope ?? String(nothing) });

  // @ts-expect-error a required param is missing
  await client.call("workspace.open", { conversation_id: "c" });
  // @ts-expect-error params are not left out where one is required
  await client.call("workspace.open");
  // @ts-expect-error no such param
  await client.call("workspace.open", { conversation_id: "c", agent_id: "a", extra: 1 });
  // @ts-expect-error no param at all
  await client.call("ping", { extra: 1 });
  // @ts-expect-error an optional param is absent, never null
  await client.call("miniapp.unmount", { instance_id: "i", reason: null });
  // @ts-expect-error nor is it undefined
  await client.call("miniapp.unmount", { instance_id: "i", reason: undefined });
  // @ts-expect-error no such method
  await client.call("workspace.close", {});
  // @ts-expect-error exit is a notification
  await client.call("exit", {});
  // @ts-expect-error an element may not be there
  void snapshot.instances[0].app_scope;
  return snapshot;
}

export function useNotifications(client: Client): void {
  client.on("surface.patched", ({ surface_id, revision, patch, by }) => {
    const author: "app" | "view" = by;
    void [surface_id, revision + 1, Object.keys(patch), author];
  });
  client.on("transport.send", ({ outbox_id, envelope }) => void [outbox_id, answer(envelope as RuntimeEnvelope)]);
  // @ts-expect-error no such notification
  client.on("surface.gone", () => undefined);
}

export function tellApart(message: NotificationMessage): string {
  switch (message.method) {
    case "renderer.present":
      return message.params.item.record.owner.app_scope;
    case "miniapp.failed":
      return message.params.code;
    default:
      return message.method;
  }
}

export function answer(envelope: RuntimeEnvelope): string {
  switch (envelope.type) {
    case "lineup.v1.client.inventory":
      return envelope.payload.tools.map((tool) => tool.target?.app_scope ?? "interaction").join();
    case "lineup.v1.message":
      return envelope.payload.text;
    case "lineup.v1.tool.progress":
      return `${envelope.payload.progress.percent ?? 0} %`;
    case "lineup.v1.tool.result":
      return envelope.payload.error?.code ?? envelope.payload.status;
    case "lineup.v1.tool.rejected": {
      const { tool } = envelope.payload;
      return tool === undefined ? "not about a Tool" : tool === null ? "gone" : tool.id;
    }
    case "lineup.v1.app.session.opened":
    case "lineup.v1.app.session.closed":
      return envelope.payload.app_session_id;
    default:
      return unreachable(envelope);
  }
}

export async function deliver(client: Client): Promise<void> {
  const envelope: AgentEnvelope = {
    type: "lineup.v1.tool.invoke",
    message_id: "m",
    payload: { call_id: "c", tool_id: "t", inventory_revision: "inv_0", input: { nested: [1, null, { a: true }] } },
  };
  const peer = { agent_id: "a", conversation_id: "c" };
  const { status, receipt } = await client.call("transport.deliver", { peer, envelope });
  void [status === "duplicate", receipt?.outcome];
  const wrong: AgentEnvelope = {
    type: "lineup.v1.tool.cancel",
    message_id: "m",
    // @ts-expect-error the payload of another type
    payload: { text: "hello" },
  };
  void wrong;
}

/** Every kind is told apart; one that is missing here does not compile. */
export function respond(request: StandardInteractionRequest): StandardInteractionResult {
  switch (request.kind) {
    case "notice":
      return { acknowledged: true };
    case "choice":
      return { action_ids: request.actions.slice(0, 1).map((action) => action.id) };
    case "confirm":
      return { approved: request.approve_label !== "never" };
    case "input":
      return { values: Object.fromEntries(request.fields.map((field) => [field.id, field.type === "number" ? 1 : "x"])) };
    default:
      return unreachable(request);
  }
}

export function takeMessage(message: InboxMessage): string | null {
  switch (message.type) {
    case "agent.message":
      return message.payload.text;
    case "surface.event":
      return message.payload.event;
    case "surface.failed":
      return message.payload.message;
    case "capability.resolved":
      return message.payload.reason;
    case "outbox.delivered":
      return message.payload.client_message_id;
    default:
      return unreachable(message);
  }
}

export function explain(error: RpcError): string {
  switch (error.code) {
    case ERROR_CODES.Refused:
      return REFUSAL_TEXTS[error.data.code];
    case ERROR_CODES.InvalidParams:
      return error.data.errors.map(({ path, message }) => `${path}: ${message}`).join("\n");
    case ERROR_CODES.InternalError:
      return error.data.error_id;
    default:
      return error.message;
  }
}

type RefusalOf<M extends Method> = MethodMap[M]["refusals"];
export const expected: RefusalOf<"renderer.submit"> = "interaction_result_invalid";
// @ts-expect-error this method is never refused with that
export const unexpected: RefusalOf<"renderer.submit"> = "artifact_invalid";

export const codes: readonly RefusalCode[] = REFUSAL_CODES;
export const ofASurface: readonly Method[] = SURFACE_METHODS;
export const sandbox: NonNullable<SurfaceAttachResult["document"]>["sandbox"] = ["allow-scripts"];
// @ts-expect-error never the same origin
export const unsafe: NonNullable<SurfaceAttachResult["document"]>["sandbox"] = ["allow-same-origin"];
