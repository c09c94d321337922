// Generated from rpc_schema by `python -m rpc_schema.export`. Do not edit.

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export type Actor = "host" | "agent" | "miniapp" | "surface" | "runtime";

/** Milliseconds to go forward. */
export type AdvanceClockParams = {
  /** minimum 0, maximum 315360000000 */
  ms: number;
};

/** The Runtime's time after it. */
export type AdvanceClockResult = {
  now: string;
};

/** A Tool as the inventory tells an Agent of it; `target` is null for the interactive ones. */
export type AdvertisedTool = {
  id: string;
  version: 1;
  handling: Handling;
  target: ToolTarget | null;
  input_schema: JsonObject;
  output_schema: JsonObject;
  permissions: Array<string>;
  timeout_ms: number | null;
  description?: string;
};

/** `agent.message`: text from the Agent. */
export type AgentMessagePayload = {
  text: string;
  format: MessageFormat;
};

/** `lineup.v1.app.session.closed`: what ended with it and what still waits for the user. */
export type AppSessionClosedPayload = {
  /** minLength 1, maxLength 128 */
  app_session_id: string;
  app_scope: string;
  reason: string;
  cancelled_call_ids: Array<string>;
  pending_interaction_call_ids: Array<string>;
};

/** The app session that a question is about. */
export type AppSessionContext = {
  /** minLength 1, maxLength 128 */
  app_session_id: string;
};

/** `lineup.v1.app.session.opened`: the stable id of a sub-conversation about an app. */
export type AppSessionOpenedPayload = {
  /** minLength 1, maxLength 128 */
  app_session_id: string;
  app_scope: string;
  /** minLength 1, maxLength 128 */
  call_id?: string;
};

/** An app of the inventory. */
export type AppVersion = {
  app_scope: string;
  version: string;
};

/** What a surface hands in; size and hash are those of the decoded content. */
export type Artifact = {
  /** minLength 1, maxLength 128 */
  name: string;
  media_type: "image/svg+xml" | "image/png" | "application/json" | "text/plain";
  /** minimum 0, maximum 4194304 */
  byte_size: number;
  sha256: string;
  content_base64: string;
};

/** An artifact. */
export type ArtifactGetParams = {
  /** minLength 1, maxLength 128 */
  artifact_id: string;
};

/** One decision. `hash` is SHA-256 over the canonical JSON of all other fields, `previous_hash` included. */
export type AuditEntry = {
  seq: number;
  at: string;
  actor: Actor;
  action: string;
  decision: Decision;
  code: string | null;
  conversation_id: string | null;
  app_scope: string | null;
  instance_id: string | null;
  subject: string | null;
  detail: JsonObject | null;
  previous_hash: string;
  hash: string;
};

/** Entries after a sequence number, oldest first. */
export type AuditListParams = {
  /** minimum 0, maximum 9007199254740991, default 0 */
  after_seq?: number;
  /** minimum 1, maximum 500, default 100 */
  limit?: number;
  /** minLength 1, maxLength 128 */
  conversation_id?: string;
};

/** Audit entries, oldest first. */
export type AuditListResult = {
  entries: Array<AuditEntry>;
};

export type CapabilityOutcome = "granted" | "denied" | "failed";

/** A capability request that waits for the Host's provider. */
export type CapabilityRequest = {
  /** minLength 1, maxLength 128 */
  request_id: string;
  /** minLength 1, maxLength 128 */
  instance_id: string;
  app_scope: string;
  capability: string;
  reason: string;
  arguments: JsonObject;
};

/** What the Host's provider made of a request. */
export type CapabilityResolveParams = {
  /** minLength 1, maxLength 128 */
  request_id: string;
  outcome: CapabilityOutcome;
  result?: JsonObject;
  /** maxLength 4000 */
  message?: string;
};

/** `capability.resolved`: how a capability request ended. */
export type CapabilityResolvedPayload = {
  /** minLength 1, maxLength 128 */
  request_id: string;
  outcome: CapabilityOutcome;
  result: JsonObject | null;
  reason: string | null;
  message: string | null;
};

/** One thing to choose. */
export type ChoiceAction = {
  /** minLength 1, maxLength 128 */
  id: string;
  /** minLength 1, maxLength 200 */
  label: string;
  /** minLength 1, maxLength 4000 */
  description?: string;
};

/** Let the user choose among named actions. */
export type ChoiceRequest = {
  kind: "choice";
  /** minLength 1, maxLength 200 */
  title: string;
  /** minLength 1, maxLength 4000 */
  prompt: string;
  mode: "single-choice" | "multi-choice" | "button";
  /** minItems 1, maxItems 50 */
  actions: Array<ChoiceAction>;
  /** minimum 60000, maximum 86400000 */
  expires_in_ms?: number;
};

/** What the user chose, in the user's order. */
export type ChoiceResult = {
  /** maxItems 1000 */
  action_ids: Array<string>;
};

/** `lineup.v1.client.inventory`: the Tools, apps and capabilities as they are now. */
export type ClientInventoryPayload = {
  revision: string;
  tools: Array<AdvertisedTool>;
  apps: Array<AppVersion>;
  capabilities: Array<string>;
};

/** A command was accepted, that is, committed. One that is not accepted is a refusal. */
export type CommandReceipt = {
  /** minLength 1, maxLength 128 */
  command_id: string;
  status: "accepted";
};

/** Ask the user to agree to one thing that can be explained. */
export type ConfirmRequest = {
  kind: "confirm";
  /** minLength 1, maxLength 200 */
  title: string;
  /** minLength 1, maxLength 4000 */
  prompt: string;
  /** minLength 1, maxLength 200 */
  approve_label?: string;
  /** minLength 1, maxLength 200 */
  cancel_label?: string;
  /** minimum 60000, maximum 86400000 */
  expires_in_ms?: number;
};

/** Whether the user agreed. */
export type ConfirmResult = {
  approved: boolean;
};

export type Container = "trusted-dom" | "sandboxed-iframe";

export type ControlOutcome = "cancelled" | "dismissed" | "already_final" | "not_found";

/** `lineup.v1.tool.cancel` and `lineup.v1.interaction.dismiss`: give up a call, take back a question. */
export type ControlPayload = {
  /** minLength 1, maxLength 128 */
  control_id: string;
  /** minLength 1, maxLength 128 */
  call_id: string;
  /** maxLength 1000, default "" */
  reason?: string;
};

/** What became of a cancel or dismiss; the same for every replay of its `control_id`. */
export type ControlReceipt = {
  /** minLength 1, maxLength 128 */
  control_id: string;
  /** minLength 1, maxLength 128 */
  call_id: string;
  outcome: ControlOutcome;
};

/** A conversation. */
export type ConversationParams = {
  /** minLength 1, maxLength 128 */
  conversation_id: string;
};

export type Decision = "accepted" | "refused";

/** An object without fields. */
export type Empty = Record<string, never>;

/** What an Agent sends. Ownership fields, where given, must say what the peer says. */
export type Envelope = {
  /** minLength 1, maxLength 128 */
  type: string;
  /** minLength 1, maxLength 128 */
  message_id: string;
  payload: JsonObject;
  /** minLength 1, maxLength 128 */
  app_scope?: string;
  /** minLength 1, maxLength 128 */
  instance_id?: string;
  /** minLength 1, maxLength 128 */
  agent_id?: string;
  /** minLength 1, maxLength 128 */
  conversation_id?: string;
  /** minLength 1, maxLength 128 */
  sent_at?: string;
};

/** One thing that is wrong, and where: a path into what was sent, which is never repeated. */
export type Fault = {
  path: string;
  message: string;
};

/** Null: what the field would tell of is gone. An absent field says nothing of it. */
export type Gone = null;

export type Handling = "direct" | "interactive" | "launch" | "foreground" | "operation";

/** Who drives the Runtime. */
export type HostInfo = {
  /** minLength 1, maxLength 200 */
  name: string;
  /** maxLength 128 */
  version: string;
};

/** What the MiniApp needs of its Host. */
export type HostRequirement = {
  /** maxLength 128 */
  min_version: string;
  surface_required: boolean;
};

/** What the Host is and can do. May come again: a new session, all earlier tokens revoked. */
export type InitializeParams = {
  protocol_version: string;
  host: HostInfo;
  /** maxItems 1000, default [] */
  host_run?: Array<string>;
  /** maxItems 10, default ["im-card", "modal", "sheet", "card"] */
  renderers?: Array<RendererMode>;
  /** maxItems 1000, default [] */
  capability_providers?: Array<string>;
  /** minLength 1, maxLength 128 */
  locale?: string;
};

/** The session and what applies in it. */
export type InitializeResult = {
  protocol_version: string;
  runtime: RuntimeInfo;
  /** minLength 1, maxLength 128 */
  session_id: string;
  inventory_revision: string;
  limits: { [key: string]: number };
  recovered: Recovered;
};

/** What the user has typed so far; kept until the interaction is final. */
export type InputDraft = {
  values: { [key: string]: string | number };
};

/** One field of a form. Length bounds are for text, value bounds for numbers. */
export type InputField = {
  /** minLength 1, maxLength 128 */
  id: string;
  /** minLength 1, maxLength 200 */
  label: string;
  type: "text" | "textarea" | "number";
  required?: boolean;
  /** maxLength 200 */
  placeholder?: string;
  /** minimum 0, maximum 32000 */
  min_length?: number;
  /** minimum 0, maximum 32000 */
  max_length?: number;
  minimum?: number;
  maximum?: number;
};

/** Ask the user to fill in a form of text and numbers. */
export type InputRequest = {
  kind: "input";
  /** minLength 1, maxLength 200 */
  title: string;
  /** minLength 1, maxLength 4000 */
  prompt: string;
  /** minItems 1, maxItems 20 */
  fields: Array<InputField>;
  /** minLength 1, maxLength 200 */
  submit_label?: string;
  /** minLength 1, maxLength 200 */
  cancel_label?: string;
  /** minimum 60000, maximum 86400000 */
  expires_in_ms?: number;
};

/** The form as filled in, by field id; an optional field may be absent. */
export type InputResult = {
  values: { [key: string]: string | number };
};

/** A live instance of a MiniApp in a conversation. */
export type Instance = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
  app_scope: string;
  app_version: string;
  /** minLength 1, maxLength 128 */
  conversation_id: string;
  state: InstanceState;
  run_by: RunBy;
  mounted: boolean;
  app_session_id: string | null;
};

/** An instance. */
export type InstanceParams = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
};

/** An instance, and why. */
export type InstanceReasonParams = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
  /** maxLength 1000, default "" */
  reason?: string;
};

export type InstanceState = "starting" | "foreground" | "background" | "suspended";

export type InteractionKind = "notice" | "choice" | "confirm" | "input";

/** To whom an interaction belongs; written by the Runtime alone. */
export type InteractionOwner = {
  app_scope: string;
  instance_id: string;
  conversation_id: string;
  source: InteractionSource;
  app_session_id: string | null;
  parent_call_id: string | null;
  surface_id: string | null;
};

/** An interaction. */
export type InteractionParams = {
  /** minLength 1, maxLength 128 */
  interaction_id: string;
};

export type InteractionSource = "agent_tool" | "miniapp_tool" | "runtime_policy";

export type InteractionStatus = "pending" | "presented" | "submitted" | "completed" | "cancelled" | "expired" | "failed";

/** The status after the act. */
export type InteractionStatusResult = {
  status: InteractionStatus;
};

/** `-32603`: the name of the line in the log. */
export type InternalErrorData = {
  error_id: string;
};

/** `-32602`: what to mend; `supported` for a protocol version of another major. */
export type InvalidParamsData = {
  errors: Array<Fault>;
  supported?: Array<string>;
};

/** Manifest v1, frozen. `kind` `bundled-reference` is read as `bundled` (RULES 9). */
export type Manifest = {
  app_scope: string;
  /** maxLength 128 */
  version: string;
  kind: "system" | "bundled";
  /** maxItems 200 */
  tools: Array<ToolDescriptor>;
  /** maxItems 10 */
  subscriptions: Array<Subscription>;
  /** maxItems 50 */
  requested_capabilities: Array<string>;
  host: HostRequirement;
};

/** Manifest v1, frozen. `kind` `bundled-reference` is read as `bundled` (RULES 9). */
export type ManifestInput = {
  app_scope: string;
  /** maxLength 128 */
  version: string;
  kind: "system" | "bundled" | "bundled-reference";
  /** maxItems 200 */
  tools: Array<ToolDescriptorInput>;
  /** maxItems 10 */
  subscriptions: Array<Subscription>;
  /** maxItems 50 */
  requested_capabilities: Array<string>;
  host: HostRequirement;
};

export type MessageFormat = "markdown" | "plain";

/** `lineup.v1.message`: text to the Inbox of `app_scope` (default `chat`). */
export type MessagePayload = {
  /** minLength 1, maxLength 32000 */
  text: string;
  /** default "markdown" */
  format?: MessageFormat;
};

export type MessageType = "agent.message" | "surface.event" | "surface.failed" | "capability.resolved" | "outbox.delivered";

/** Who a MiniApp is, injected by the Runtime; `mode` is `im` for Interact, else null. */
export type MiniAppContext = {
  app_scope: string;
  /** minLength 1, maxLength 128 */
  instance_id: string;
  /** minLength 1, maxLength 128 */
  conversation_id: string;
  app_version: string;
  state: InstanceState;
  mode: "im" | null;
};

/** A MiniApp that the Runtime knows. `unavailable` says why it is not advertised, or is null. */
export type MiniAppEntry = {
  manifest: Manifest;
  enabled: boolean;
  run_by: RunBy;
  unavailable: string | null;
};

/** The logic of an instance died for good; it starts anew with the next invoke, open or foreground. */
export type MiniAppFailed = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
  app_scope: string;
  code: string;
  message: string;
};

export type MiniAppHandling = "direct" | "launch" | "foreground" | "operation";

/** Every MiniApp, sorted by scope. */
export type MiniAppListResult = {
  miniapps: Array<MiniAppEntry>;
};

/** One message of an instance's Inbox, kept until it is acknowledged. */
export type MiniAppMessage = {
  /** minLength 1, maxLength 128 */
  message_id: string;
  type: MessageType;
  app_scope: string;
  /** minLength 1, maxLength 128 */
  instance_id: string;
  /** minLength 1, maxLength 128 */
  conversation_id: string;
  payload: JsonObject;
  created_at: string;
};

/** `context_token` is a string only where the Host runs the logic itself. */
export type MiniAppMountResult = {
  context: MiniAppContext;
  context_token: string | null;
  surfaces: Array<Surface>;
};

/** The MiniApp that the user opens. */
export type MiniAppOpenParams = {
  /** minLength 1, maxLength 128 */
  conversation_id: string;
  /** minLength 1, maxLength 128 */
  app_scope: string;
};

/** Its instance, made or found. */
export type MiniAppOpenResult = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
  app_session_id: string | null;
};

/** Switch a MiniApp on or off. */
export type MiniAppSetEnabledParams = {
  /** minLength 1, maxLength 128 */
  app_scope: string;
  enabled: boolean;
};

/** The inventory as it is now. */
export type MiniAppSetEnabledResult = {
  inventory_revision: string;
};

/** A call as the MiniApp that must do it sees it. It says nothing of who asked. */
export type MiniAppToolCall = {
  /** minLength 1, maxLength 128 */
  call_id: string;
  tool_id: string;
  input: JsonObject;
  status: ToolCallStatus;
  created_at: string;
  deadline_at: string | null;
  redelivered: boolean;
};

/** Tell the user something; it does not wait, so it takes no expiry. */
export type NoticeRequest = {
  kind: "notice";
  /** minLength 1, maxLength 200 */
  title: string;
  /** minLength 1, maxLength 4000 */
  message: string;
  /** minLength 1, maxLength 200 */
  acknowledge_label?: string;
};

/** The user has seen it. */
export type NoticeResult = {
  acknowledged: true;
};

/** The OpenRPC description of all methods. */
export type OpenRpcDocument = {
  openrpc: string;
  info: JsonObject;
  methods: Array<JsonObject>;
  components: JsonObject;
  [more: string]: unknown;
};

/** `outbox.delivered`: the Agent's side has the user's text (system MiniApp only). */
export type OutboxDeliveredPayload = {
  /** minLength 1, maxLength 128 */
  client_message_id: string;
};

/** What the Runtime sends to an Agent; `message_id` is the outbox row's id. */
export type OutgoingEnvelope = {
  type: string;
  /** minLength 1, maxLength 128 */
  message_id: string;
  /** minLength 1, maxLength 128 */
  conversation_id: string;
  payload: JsonObject;
  sent_at: string;
};

/** Whom the Host's transport authenticated. */
export type Peer = {
  /** minLength 1, maxLength 128 */
  agent_id: string;
  /** minLength 1, maxLength 128 */
  conversation_id: string;
};

/** Where a question is shown. `deferred`: nowhere until its owner is in front. */
export type Placement = {
  provider: "interact" | "runtime";
  mode: "im-card" | "modal" | "sheet" | "card" | "deferred";
  instance_id: string | null;
  overlay_instance_id: string | null;
};

/** What was found unfinished at the start, by count. */
export type Recovered = {
  /** minimum 0, maximum 9007199254740991 */
  conversations: number;
  /** minimum 0, maximum 9007199254740991 */
  instances: number;
  /** minimum 0, maximum 9007199254740991 */
  tool_calls: number;
  /** minimum 0, maximum 9007199254740991 */
  interactions: number;
  /** minimum 0, maximum 9007199254740991 */
  surfaces: number;
  /** minimum 0, maximum 9007199254740991 */
  outbox: number;
};

export type RefusalCode = "inventory_revision_mismatch" | "tool_not_advertised" | "tool_input_invalid" | "tool_output_invalid" | "app_disabled" | "app_instance_not_found" | "app_scope_mismatch" | "lifecycle_denied" | "capability_denied" | "call_already_final" | "context_token_invalid" | "permission_denied" | "call_not_found" | "call_id_conflict" | "call_state_invalid" | "envelope_invalid" | "message_not_found" | "interaction_not_found" | "interaction_already_final" | "interaction_request_invalid" | "interaction_result_invalid" | "renderer_unavailable" | "app_session_invalid" | "surface_not_found" | "surface_denied" | "surface_patch_invalid" | "surface_revision_conflict" | "artifact_invalid" | "artifact_not_found" | "manifest_invalid" | "capability_request_not_found" | "limit_exceeded" | "shutting_down";

/** `1000`: the stable code, and what helps to mend it; more fields may come, so let unknown ones pass. */
export type RefusalData = {
  code: RefusalCode;
  path?: string;
  errors?: Array<Fault>;
  status?: string;
  reason?: string;
  revision?: number;
  inventory_revision?: string;
  limit?: string;
  bound?: number;
  actual?: number;
  [more: string]: unknown;
};

/** The user dismissed the question. */
export type RendererCancelParams = {
  /** minLength 1, maxLength 128 */
  interaction_id: string;
  /** maxLength 1000, default "" */
  reason?: string;
};

/** A question, its place and what the user has typed so far. */
export type RendererItem = {
  record: RendererRecord;
  placement: Placement;
  draft: InputDraft | null;
};

/** The questions that are not final, oldest first. */
export type RendererListResult = {
  items: Array<RendererItem>;
};

export type RendererMode = "im-card" | "modal" | "sheet" | "card";

/** A question to show, or one whose placement changed. */
export type RendererPresent = {
  item: RendererItem;
};

/** An interaction as the Host sees it; `call_id` is the Agent's, null for the others. */
export type RendererRecord = {
  /** minLength 1, maxLength 128 */
  interaction_id: string;
  kind: InteractionKind;
  request: StandardInteractionRequest;
  status: InteractionStatus;
  result: NoticeResult | ChoiceResult | ConfirmResult | InputResult | null;
  reason: string | null;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  parent_call_id: string | null;
  owner: InteractionOwner;
  call_id: string | null;
};

/** A question ended, by whomever; take it away. */
export type RendererRetract = {
  /** minLength 1, maxLength 128 */
  interaction_id: string;
  status: InteractionStatus;
  reason: string | null;
};

/** What the user has typed so far; at most 64 KiB. */
export type RendererSaveDraftParams = {
  /** minLength 1, maxLength 128 */
  interaction_id: string;
  draft: InputDraft;
};

/** The user's answer; one that does not fit is `interaction_result_invalid` and leaves the question open. */
export type RendererSubmitParams = {
  /** minLength 1, maxLength 128 */
  interaction_id: string;
  result: StandardInteractionResult;
};

export type RunBy = "worker" | "host";

/** Which Runtime answers. */
export type RuntimeInfo = {
  name: string;
  version: string;
};

/** Notifications were dropped, or what they said was undone: read the snapshots again and subscribe again. */
export type RuntimeResync = {
  reason: string;
};

/** How the Runtime is. */
export type RuntimeStatusResult = {
  /** minimum 0, maximum 9007199254740991 */
  live_workers: number;
  /** minimum 0, maximum 9007199254740991 */
  instances: number;
  /** minimum 0, maximum 9007199254740991 */
  tool_calls_open: number;
  /** minimum 0, maximum 9007199254740991 */
  interactions_open: number;
  /** minimum 0, maximum 9007199254740991 */
  outbox_pending: number;
  /** minimum 0, maximum 9007199254740991 */
  inbox_pending: number;
  /** minimum 0, maximum 9007199254740991 */
  uptime_ms: number;
  /** minimum 0, maximum 9007199254740991 */
  rss_bytes: number;
};

/** A call of the instance. */
export type SdkCallParams = {
  context_token: string;
  /** maxLength 128 */
  call_id: string;
};

/** A capability, why, and with which arguments; the outcome comes as `capability.resolved`. */
export type SdkCapabilitiesRequestParams = {
  context_token: string;
  /** minLength 1, maxLength 128 */
  capability: string;
  /** minLength 1, maxLength 4000 */
  reason: string;
  arguments: JsonObject;
};

/** The request's id. */
export type SdkCapabilitiesRequestResult = {
  /** minLength 1, maxLength 128 */
  command_id: string;
  status: "accepted";
  /** minLength 1, maxLength 128 */
  request_id: string;
};

/** The instance's state changed. */
export type SdkContextChanged = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
  context: MiniAppContext;
};

/** The user's text; a known `client_message_id` is the same message. */
export type SdkConversationSendTextParams = {
  context_token: string;
  /** minLength 1, maxLength 32000 */
  text: string;
  /** minLength 1, maxLength 128 */
  client_message_id: string;
};

/** The first message on a worker's connection: its token and who it is. */
export type SdkHello = {
  context_token: string;
  context: MiniAppContext;
};

/** The message that the MiniApp has taken over. */
export type SdkInboxAcknowledgeParams = {
  context_token: string;
  /** maxLength 128 */
  message_id: string;
};

/** `false` where it had been acknowledged before. */
export type SdkInboxAcknowledgeResult = {
  acknowledged: boolean;
};

/** Un-acknowledged messages after one that was seen. */
export type SdkInboxListParams = {
  context_token: string;
  /** maxLength 128 */
  after_message_id?: string;
  /** minimum 1, maximum 200, default 200 */
  limit?: number;
};

/** A message for a subscribed Inbox. */
export type SdkInboxMessage = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
  message: MiniAppMessage;
};

/** An interaction of the instance. */
export type SdkInteractionParams = {
  context_token: string;
  /** maxLength 128 */
  interaction_id: string;
};

/** An interaction record that changed. */
export type SdkInteractionRecord = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
  record: StandardInteractionRecord;
};

/** The instance is closed; its process ends after the deadline. */
export type SdkLifecycleClosing = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
  reason: string;
  deadline_ms: number;
};

/** Messages, oldest first. */
export type SdkMessagesResult = {
  messages: Array<MiniAppMessage>;
};

/** The token alone says which instance speaks. */
export type SdkParams = {
  context_token: string;
};

/** A call, and why. */
export type SdkReasonCallParams = {
  context_token: string;
  /** maxLength 128 */
  call_id: string;
  /** maxLength 1000, default "" */
  reason?: string;
};

/** Why. */
export type SdkReasonParams = {
  context_token: string;
  /** maxLength 1000, default "" */
  reason?: string;
};

/** Interaction records: the open ones and, for `sdk.ui`, the newest 50 that ended within 24 h. */
export type SdkRecordsResult = {
  records: Array<StandardInteractionRecord>;
};

/** A surface of the caller. */
export type SdkSurfaceParams = {
  context_token: string;
  /** maxLength 128 */
  surface_id: string;
};

/** Something happened in the surface; it reaches the instance's Inbox. */
export type SdkSurfacesEmitParams = {
  context_token: string;
  /** maxLength 128 */
  surface_id: string;
  /** minLength 1, maxLength 128 */
  event: string;
  payload?: JsonObject;
};

/** The surface's state. */
export type SdkSurfacesGetResult = {
  /** minLength 1, maxLength 128 */
  surface_id: string;
  revision: number;
  state: JsonObject;
};

/** The view changed the state of one of the instance's surfaces. */
export type SdkSurfacesPatched = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
  /** minLength 1, maxLength 128 */
  surface_id: string;
  revision: number;
  patch: JsonObject;
};

/** The surface to open. */
export type SdkSurfacesRequestOpenParams = {
  context_token: string;
  request: SurfaceRequest;
};

/** The surface, opened or found, with its state. */
export type SdkSurfacesRequestOpenResult = {
  /** minLength 1, maxLength 128 */
  command_id: string;
  status: "accepted";
  /** minLength 1, maxLength 128 */
  surface_id: string;
  revision: number;
  state: JsonObject;
};

/** Something made in the surface, to be kept. */
export type SdkSurfacesSubmitParams = {
  context_token: string;
  /** maxLength 128 */
  surface_id: string;
  artifact: Artifact;
};

/** The artifact's id. */
export type SdkSurfacesSubmitResult = {
  /** minLength 1, maxLength 128 */
  command_id: string;
  status: "accepted";
  /** minLength 1, maxLength 128 */
  artifact_id: string;
};

/** A JSON Merge Patch (RFC 7396) onto the state. */
export type SdkSurfacesUpdateParams = {
  context_token: string;
  /** maxLength 128 */
  surface_id: string;
  patch: JsonObject;
  /** minimum -9007199254740991, maximum 9007199254740991 */
  base_revision?: number;
};

/** The revision after the patch. */
export type SdkSurfacesUpdateResult = {
  /** minLength 1, maxLength 128 */
  command_id: string;
  status: "accepted";
  revision: number;
};

/** A call handed to a subscription; it runs from now on. */
export type SdkToolsCall = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
  call: MiniAppToolCall;
};

/** A call was ended by someone else. */
export type SdkToolsClosed = {
  /** minLength 1, maxLength 128 */
  instance_id: string;
  /** minLength 1, maxLength 128 */
  call_id: string;
  status: ToolCallStatus;
  reason: string;
};

/** The result; it must fit the Tool's output schema, else `tool_output_invalid`. */
export type SdkToolsCompleteParams = {
  context_token: string;
  /** maxLength 128 */
  call_id: string;
  result: JsonObject;
};

/** Why it failed. */
export type SdkToolsFailParams = {
  context_token: string;
  /** maxLength 128 */
  call_id: string;
  failure: ToolFailure;
};

/** The call, or null. */
export type SdkToolsGetResult = {
  call: MiniAppToolCall | null;
};

/** How far the call is. */
export type SdkToolsReportProgressParams = {
  context_token: string;
  /** maxLength 128 */
  call_id: string;
  progress: ToolProgress;
};

/** The calls that wait (and run from now on) and those that run. */
export type SdkToolsSubscribeResult = {
  calls: Array<MiniAppToolCall>;
};

/** An interaction of the instance, and why it is taken back. */
export type SdkUiCancelParams = {
  context_token: string;
  /** maxLength 128 */
  interaction_id: string;
  /** maxLength 1000, default "" */
  reason?: string;
};

/** The record, or null. */
export type SdkUiGetResult = {
  record: StandardInteractionRecord | null;
};

/** How a question hangs together with the app's work and how it would like to be shown. */
export type SdkUiOptions = {
  /** maxLength 128 */
  parent_call_id?: string;
  /** default "default" */
  presentation?: "default" | "inline" | "modal";
};

/** A question to the user; its owner is the instance that the token names. */
export type SdkUiRequestParams = {
  context_token: string;
  request: StandardInteractionRequest;
  /** default {"presentation": "default"} */
  options?: SdkUiOptions;
};

/** The question was stored; its answer comes on `sdk.ui`. */
export type SdkUiRequestResult = {
  /** minLength 1, maxLength 128 */
  interaction_id: string;
  status: InteractionStatus;
  expires_at: string | null;
};

/** An interaction as its owner sees it. `expires_at` is null for a notice. */
export type StandardInteractionRecord = {
  /** minLength 1, maxLength 128 */
  interaction_id: string;
  kind: InteractionKind;
  request: StandardInteractionRequest;
  status: InteractionStatus;
  result: NoticeResult | ChoiceResult | ConfirmResult | InputResult | null;
  reason: string | null;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  parent_call_id: string | null;
};

export type StandardInteractionRequest = NoticeRequest | ChoiceRequest | ConfirmRequest | InputRequest;

export type StandardInteractionResult = NoticeResult | ChoiceResult | ConfirmResult | InputResult;

/** An artifact as it is kept. */
export type StoredArtifact = {
  /** minLength 1, maxLength 128 */
  artifact_id: string;
  name: string;
  media_type: string;
  byte_size: number;
  sha256: string;
  created_at: string;
  content_base64: string;
};

/** A topic whose messages the MiniApp wants in its Inbox. */
export type Subscription = {
  topic: "agent.message";
};

/** A surface without its state. */
export type Surface = {
  /** minLength 1, maxLength 128 */
  surface_id: string;
  /** minLength 1, maxLength 128 */
  instance_id: string;
  /** minLength 1, maxLength 128 */
  key: string;
  /** minLength 1, maxLength 200 */
  title: string;
  container: Container;
  status: SurfaceStatus;
  revision: number;
};

/** What to show. `document` is null for `trusted-dom`; the token is the Host's, never a view's. */
export type SurfaceAttachResult = {
  /** minLength 1, maxLength 128 */
  surface_id: string;
  /** minLength 1, maxLength 128 */
  instance_id: string;
  container: Container;
  title: string;
  revision: number;
  state: JsonObject;
  surface_token: string;
  document: SurfaceDocument | null;
};

/** A surface is gone; its token is revoked. */
export type SurfaceClosed = {
  /** minLength 1, maxLength 128 */
  surface_id: string;
  reason: string;
};

/** One self-contained page: the HTML, the CSP header to serve it with and the iframe's sandbox tokens. */
export type SurfaceDocument = {
  html: string;
  csp: string;
  sandbox: Array<"allow-scripts">;
};

/** `surface.event`: something happened in a surface of the instance. */
export type SurfaceEventPayload = {
  /** minLength 1, maxLength 128 */
  surface_id: string;
  event: string;
  payload: JsonObject | null;
};

/** Why it could not be shown. */
export type SurfaceFailParams = {
  /** minLength 1, maxLength 128 */
  surface_id: string;
  /** maxLength 4000 */
  message: string;
};

/** `surface.failed`: the Host could not show a surface. */
export type SurfaceFailedPayload = {
  /** minLength 1, maxLength 128 */
  surface_id: string;
  message: string;
};

/** A surface to attach. */
export type SurfaceOpened = {
  surface: Surface;
};

/** A surface. */
export type SurfaceParams = {
  /** minLength 1, maxLength 128 */
  surface_id: string;
};

/** A surface's state changed, by the app's logic or by its view. */
export type SurfacePatched = {
  /** minLength 1, maxLength 128 */
  surface_id: string;
  revision: number;
  patch: JsonObject;
  by: "app" | "view";
};

/** Which surface to open. The same `key` is the same surface; `entry` is a page of the bundle. */
export type SurfaceRequest = {
  /** minLength 1, maxLength 128 */
  key: string;
  /** minLength 1, maxLength 200 */
  title: string;
  entry?: string;
  container?: Container;
  initial_state?: JsonObject;
};

export type SurfaceStatus = "open" | "failed" | "closed";

export type ToolCallOutcome = "completed" | "failed" | "cancelled" | "expired";

/**
 * `lineup.v1.tool.call`: the older form of invoking `interaction.<kind>`, without a revision.
 *
 * `request` is one of the standard requests; its own `kind` may be left out.
 */
export type ToolCallPayload = {
  /** minLength 1, maxLength 128 */
  call_id: string;
  kind: InteractionKind;
  request: JsonObject;
  app_session_context?: AppSessionContext;
};

export type ToolCallStatus = "received" | "routing" | "waiting_for_app" | "running" | "submitted" | "completed" | "failed" | "cancelled" | "expired" | "rejected";

/** An open call in a workspace snapshot. */
export type ToolCallSummary = {
  /** minLength 1, maxLength 128 */
  call_id: string;
  tool_id: string;
  status: ToolCallStatus;
  instance_id: string | null;
  updated_at: string;
};

/** A Tool as a manifest declares it. */
export type ToolDescriptor = {
  id: string;
  version: 1;
  handling: MiniAppHandling;
  target: ToolTarget;
  input_schema: JsonObject;
  output_schema: JsonObject;
  /** maxItems 50 */
  permissions: Array<string>;
  /** minimum 1000, maximum 86400000 */
  timeout_ms?: number;
  /** maxLength 1024 */
  description?: string;
};

/** A Tool as a manifest declares it. */
export type ToolDescriptorInput = {
  id: string;
  version: 1;
  handling: MiniAppHandling;
  target: ToolTarget;
  input_schema: JsonObject;
  output_schema: JsonObject;
  /** maxItems 50, default [] */
  permissions?: Array<string>;
  /** minimum 1000, maximum 86400000 */
  timeout_ms?: number;
  /** maxLength 1024 */
  description?: string;
};

/** The failure that an Agent is told of. */
export type ToolError = {
  code: string;
  message: string;
  retryable?: boolean;
  details?: JsonObject;
};

/** Why a call failed, in the MiniApp's words. */
export type ToolFailure = {
  /** minLength 1, maxLength 128 */
  code: string;
  /** minLength 1, maxLength 4000 */
  message: string;
  retryable?: boolean;
  details?: JsonObject;
};

/** `lineup.v1.tool.invoke`: call a Tool of the inventory. The context is for interactive Tools only. */
export type ToolInvokePayload = {
  /** minLength 1, maxLength 128 */
  call_id: string;
  /** minLength 1, maxLength 128 */
  tool_id: string;
  /** minLength 1, maxLength 128 */
  inventory_revision: string;
  input: JsonObject;
  app_session_context?: AppSessionContext;
};

/** How far a call is; absent fields are unchanged knowledge, not zero. */
export type ToolProgress = {
  /** minimum 0, maximum 100 */
  percent?: number;
  /** maxLength 4000 */
  message?: string;
  /** maxLength 200 */
  state?: string;
};

/** `lineup.v1.tool.progress`: `seq` counts up within a call; one that was replaced is left out. */
export type ToolProgressPayload = {
  /** minLength 1, maxLength 128 */
  call_id: string;
  seq: number;
  progress: ToolProgress;
};

/**
 * `lineup.v1.tool.rejected`: the invoke was refused.
 *
 * With `inventory_revision_mismatch`, and only there, comes the Tool as it is now, or null if it is gone.
 */
export type ToolRejectedPayload = {
  /** minLength 1, maxLength 128 */
  call_id: string;
  code: RefusalCode;
  message: string;
  inventory_revision: string;
  tool?: AdvertisedTool | Gone;
};

/** `lineup.v1.tool.result`: the one ending of a call. */
export type ToolResultPayload = {
  /** minLength 1, maxLength 128 */
  call_id: string;
  status: ToolCallOutcome;
  result?: JsonObject;
  error?: ToolError;
  reason?: "app_cancelled" | "agent_cancelled" | "app_closed" | "user_cancelled" | "dismissed" | "timeout" | "no_answer" | "never_presented";
  message?: string;
};

/** Where a Tool call goes and what it does to the focus. */
export type ToolTarget = {
  app_scope: string;
  requires_foreground: boolean;
  restore_previous_focus: boolean;
};

/** Outbox rows that the Agent's side has taken over. */
export type TransportAckParams = {
  /** maxItems 10000 */
  outbox_ids: Array<string>;
};

/** How many of them were open. */
export type TransportAckResult = {
  acked: number;
};

/** An envelope and whom the Host's transport authenticated as its sender. */
export type TransportDeliverParams = {
  peer: Peer;
  envelope: Envelope;
};

/** What became of the envelope, after the commit. `duplicate` repeats the first code, message and receipt. */
export type TransportDeliverResult = {
  status: "accepted" | "duplicate" | "rejected";
  code: RefusalCode | null;
  message: string | null;
  receipt: ControlReceipt | null;
};

/** An envelope for the Agent: at least once, in order within a conversation, until its outbox row is acked. */
export type TransportSend = {
  /** minLength 1, maxLength 128 */
  outbox_id: string;
  peer: Peer;
  envelope: OutgoingEnvelope;
};

/** Whether the way to the Agent is open. */
export type TransportSetOnlineParams = {
  online: boolean;
};

/** How many outbox rows are not acked yet. */
export type TransportSetOnlineResult = {
  pending: number;
};

/** `lineup.v1.message`: text from the user. */
export type UserMessagePayload = {
  text: string;
  format: MessageFormat;
  /** minLength 1, maxLength 128 */
  client_message_id: string;
};

/** The instances or the focus of a conversation changed; the whole of both. */
export type WorkspaceChanged = {
  /** minLength 1, maxLength 128 */
  conversation_id: string;
  revision: number;
  foreground: string | null;
  focus_stack: Array<string>;
  instances: Array<Instance>;
};

/** The conversation to open and the Agent it is with. */
export type WorkspaceOpenParams = {
  /** minLength 1, maxLength 128 */
  conversation_id: string;
  /** minLength 1, maxLength 128 */
  agent_id: string;
};

/** All that a Host needs to show a conversation. `focus_stack` runs from bottom to top. */
export type WorkspaceSnapshot = {
  /** minLength 1, maxLength 128 */
  conversation_id: string;
  /** minLength 1, maxLength 128 */
  agent_id: string;
  /** minimum 0, maximum 9007199254740991 */
  revision: number;
  foreground: string | null;
  focus_stack: Array<string>;
  instances: Array<Instance>;
  surfaces: Array<Surface>;
  interactions: Array<RendererItem>;
  tool_calls: Array<ToolCallSummary>;
  capability_requests: Array<CapabilityRequest>;
};

/** Every request: what goes in, what comes out, and the codes that it can be refused with. */
export interface MethodMap {
  "initialize": { params: InitializeParams; result: InitializeResult; refusals: "shutting_down" };
  "shutdown": { params: Empty; result: null; refusals: "shutting_down" };
  "ping": { params: Empty; result: Empty; refusals: "shutting_down" };
  "rpc.discover": { params: Empty; result: OpenRpcDocument; refusals: "shutting_down" };
  "runtime.status": { params: Empty; result: RuntimeStatusResult; refusals: "shutting_down" };
  "audit.list": { params: AuditListParams; result: AuditListResult; refusals: "shutting_down" };
  "test.advanceClock": { params: AdvanceClockParams; result: AdvanceClockResult; refusals: "shutting_down" };
  "workspace.open": { params: WorkspaceOpenParams; result: WorkspaceSnapshot; refusals: "envelope_invalid" | "shutting_down" };
  "miniapp.list": { params: Empty; result: MiniAppListResult; refusals: "shutting_down" };
  "miniapp.setEnabled": { params: MiniAppSetEnabledParams; result: MiniAppSetEnabledResult; refusals: "lifecycle_denied" | "app_instance_not_found" | "shutting_down" };
  "miniapp.open": { params: MiniAppOpenParams; result: MiniAppOpenResult; refusals: "app_instance_not_found" | "app_disabled" | "limit_exceeded" | "shutting_down" };
  "miniapp.mount": { params: InstanceParams; result: MiniAppMountResult; refusals: "app_instance_not_found" | "shutting_down" };
  "miniapp.unmount": { params: InstanceReasonParams; result: Empty; refusals: "app_instance_not_found" | "shutting_down" };
  "miniapp.foreground": { params: InstanceParams; result: CommandReceipt; refusals: "app_instance_not_found" | "shutting_down" };
  "miniapp.background": { params: InstanceParams; result: CommandReceipt; refusals: "app_instance_not_found" | "lifecycle_denied" | "shutting_down" };
  "miniapp.close": { params: InstanceReasonParams; result: CommandReceipt; refusals: "app_instance_not_found" | "lifecycle_denied" | "shutting_down" };
  "sdk.context.get": { params: SdkParams; result: MiniAppContext; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "sdk.inbox.list": { params: SdkInboxListParams; result: SdkMessagesResult; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "sdk.inbox.subscribe": { params: SdkParams; result: SdkMessagesResult; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "sdk.inbox.unsubscribe": { params: SdkParams; result: Empty; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "sdk.inbox.acknowledge": { params: SdkInboxAcknowledgeParams; result: SdkInboxAcknowledgeResult; refusals: "context_token_invalid" | "permission_denied" | "message_not_found" | "shutting_down" };
  "sdk.tools.subscribe": { params: SdkParams; result: SdkToolsSubscribeResult; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "sdk.tools.unsubscribe": { params: SdkParams; result: Empty; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "sdk.tools.get": { params: SdkCallParams; result: SdkToolsGetResult; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "sdk.tools.reportProgress": { params: SdkToolsReportProgressParams; result: CommandReceipt; refusals: "context_token_invalid" | "permission_denied" | "call_not_found" | "call_state_invalid" | "call_already_final" | "app_disabled" | "shutting_down" };
  "sdk.tools.complete": { params: SdkToolsCompleteParams; result: CommandReceipt; refusals: "context_token_invalid" | "permission_denied" | "call_not_found" | "call_already_final" | "app_disabled" | "tool_output_invalid" | "shutting_down" };
  "sdk.tools.fail": { params: SdkToolsFailParams; result: CommandReceipt; refusals: "context_token_invalid" | "permission_denied" | "call_not_found" | "call_already_final" | "app_disabled" | "shutting_down" };
  "sdk.tools.cancel": { params: SdkReasonCallParams; result: CommandReceipt; refusals: "context_token_invalid" | "permission_denied" | "call_not_found" | "call_already_final" | "app_disabled" | "shutting_down" };
  "sdk.ui.request": { params: SdkUiRequestParams; result: SdkUiRequestResult; refusals: "context_token_invalid" | "permission_denied" | "interaction_request_invalid" | "renderer_unavailable" | "call_not_found" | "call_already_final" | "app_disabled" | "limit_exceeded" | "shutting_down" };
  "sdk.ui.get": { params: SdkInteractionParams; result: SdkUiGetResult; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "sdk.ui.subscribe": { params: SdkParams; result: SdkRecordsResult; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "sdk.ui.unsubscribe": { params: SdkParams; result: Empty; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "sdk.ui.cancel": { params: SdkUiCancelParams; result: CommandReceipt; refusals: "context_token_invalid" | "permission_denied" | "interaction_not_found" | "interaction_already_final" | "shutting_down" };
  "sdk.lifecycle.requestForeground": { params: SdkParams; result: CommandReceipt; refusals: "context_token_invalid" | "permission_denied" | "lifecycle_denied" | "shutting_down" };
  "sdk.lifecycle.requestBackground": { params: SdkParams; result: CommandReceipt; refusals: "context_token_invalid" | "permission_denied" | "lifecycle_denied" | "shutting_down" };
  "sdk.lifecycle.requestClose": { params: SdkReasonParams; result: CommandReceipt; refusals: "context_token_invalid" | "permission_denied" | "lifecycle_denied" | "shutting_down" };
  "sdk.surfaces.requestOpen": { params: SdkSurfacesRequestOpenParams; result: SdkSurfacesRequestOpenResult; refusals: "context_token_invalid" | "permission_denied" | "surface_denied" | "surface_patch_invalid" | "app_disabled" | "limit_exceeded" | "shutting_down" };
  "sdk.surfaces.get": { params: SdkSurfaceParams; result: SdkSurfacesGetResult; refusals: "context_token_invalid" | "permission_denied" | "surface_not_found" | "shutting_down" };
  "sdk.surfaces.update": { params: SdkSurfacesUpdateParams; result: SdkSurfacesUpdateResult; refusals: "context_token_invalid" | "permission_denied" | "surface_not_found" | "surface_patch_invalid" | "surface_revision_conflict" | "shutting_down" };
  "sdk.surfaces.emit": { params: SdkSurfacesEmitParams; result: CommandReceipt; refusals: "context_token_invalid" | "permission_denied" | "surface_not_found" | "limit_exceeded" | "shutting_down" };
  "sdk.surfaces.submit": { params: SdkSurfacesSubmitParams; result: SdkSurfacesSubmitResult; refusals: "context_token_invalid" | "permission_denied" | "surface_not_found" | "artifact_invalid" | "limit_exceeded" | "shutting_down" };
  "sdk.surfaces.requestClose": { params: SdkSurfaceParams; result: CommandReceipt; refusals: "context_token_invalid" | "permission_denied" | "surface_not_found" | "shutting_down" };
  "sdk.capabilities.request": { params: SdkCapabilitiesRequestParams; result: SdkCapabilitiesRequestResult; refusals: "context_token_invalid" | "permission_denied" | "capability_denied" | "app_disabled" | "renderer_unavailable" | "limit_exceeded" | "shutting_down" };
  "sdk.conversation.sendText": { params: SdkConversationSendTextParams; result: CommandReceipt; refusals: "context_token_invalid" | "permission_denied" | "limit_exceeded" | "shutting_down" };
  "sdk.renderer.subscribe": { params: SdkParams; result: SdkRecordsResult; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "sdk.renderer.unsubscribe": { params: SdkParams; result: Empty; refusals: "context_token_invalid" | "permission_denied" | "shutting_down" };
  "surface.attach": { params: SurfaceParams; result: SurfaceAttachResult; refusals: "surface_not_found" | "shutting_down" };
  "surface.detach": { params: SurfaceParams; result: Empty; refusals: "surface_not_found" | "shutting_down" };
  "surface.fail": { params: SurfaceFailParams; result: Empty; refusals: "surface_not_found" | "shutting_down" };
  "artifact.get": { params: ArtifactGetParams; result: StoredArtifact; refusals: "artifact_not_found" | "shutting_down" };
  "renderer.list": { params: ConversationParams; result: RendererListResult; refusals: "shutting_down" };
  "renderer.presented": { params: InteractionParams; result: InteractionStatusResult; refusals: "interaction_not_found" | "interaction_already_final" | "shutting_down" };
  "renderer.submit": { params: RendererSubmitParams; result: InteractionStatusResult; refusals: "interaction_not_found" | "interaction_already_final" | "interaction_result_invalid" | "shutting_down" };
  "renderer.cancel": { params: RendererCancelParams; result: InteractionStatusResult; refusals: "interaction_not_found" | "interaction_already_final" | "shutting_down" };
  "renderer.saveDraft": { params: RendererSaveDraftParams; result: Empty; refusals: "interaction_not_found" | "interaction_already_final" | "interaction_result_invalid" | "limit_exceeded" | "shutting_down" };
  "transport.deliver": { params: TransportDeliverParams; result: TransportDeliverResult; refusals: "shutting_down" };
  "transport.ack": { params: TransportAckParams; result: TransportAckResult; refusals: "shutting_down" };
  "transport.setOnline": { params: TransportSetOnlineParams; result: TransportSetOnlineResult; refusals: "shutting_down" };
  "capability.resolve": { params: CapabilityResolveParams; result: Empty; refusals: "capability_request_not_found" | "shutting_down" };
}

/** Every notification of the Host: its params. */
export interface HostNotificationMap {
  "exit": Empty;
}

/** Every notification of the Runtime: its params. */
export interface NotificationMap {
  "runtime.resync": RuntimeResync;
  "workspace.changed": WorkspaceChanged;
  "miniapp.failed": MiniAppFailed;
  "surface.opened": SurfaceOpened;
  "surface.patched": SurfacePatched;
  "surface.closed": SurfaceClosed;
  "renderer.present": RendererPresent;
  "renderer.retract": RendererRetract;
  "transport.send": TransportSend;
  "capability.requested": CapabilityRequest;
  "sdk.hello": SdkHello;
  "sdk.inbox.message": SdkInboxMessage;
  "sdk.tools.call": SdkToolsCall;
  "sdk.tools.closed": SdkToolsClosed;
  "sdk.ui.record": SdkInteractionRecord;
  "sdk.renderer.record": SdkInteractionRecord;
  "sdk.context.changed": SdkContextChanged;
  "sdk.surfaces.patched": SdkSurfacesPatched;
  "sdk.lifecycle.closing": SdkLifecycleClosing;
}

/** What an Agent sends: payloads by type. */
export interface AgentEnvelopeMap {
  "lineup.v1.message": MessagePayload;
  "lineup.v1.tool.invoke": ToolInvokePayload;
  "lineup.v1.tool.call": ToolCallPayload;
  "lineup.v1.tool.cancel": ControlPayload;
  "lineup.v1.interaction.dismiss": ControlPayload;
}

/** What the Runtime sends to an Agent: payloads by type. */
export interface RuntimeEnvelopeMap {
  "lineup.v1.client.inventory": ClientInventoryPayload;
  "lineup.v1.message": UserMessagePayload;
  "lineup.v1.tool.progress": ToolProgressPayload;
  "lineup.v1.tool.result": ToolResultPayload;
  "lineup.v1.tool.rejected": ToolRejectedPayload;
  "lineup.v1.app.session.opened": AppSessionOpenedPayload;
  "lineup.v1.app.session.closed": AppSessionClosedPayload;
}

/** What reaches an Inbox: payloads by type. */
export interface InboxPayloadMap {
  "agent.message": AgentMessagePayload;
  "surface.event": SurfaceEventPayload;
  "surface.failed": SurfaceFailedPayload;
  "capability.resolved": CapabilityResolvedPayload;
  "outbox.delivered": OutboxDeliveredPayload;
}

export type Method = keyof MethodMap;
export type Params<M extends Method> = MethodMap[M]["params"];
export type Result<M extends Method> = MethodMap[M]["result"];

/** The arguments of a typed call: params may be left out where none is required. */
export type Arguments<M extends Method> = {} extends Params<M> ? [params?: Params<M>] : [params: Params<M>];

type Told<Map> = { [M in keyof Map]: { method: M; params: Map[M] } }[keyof Map];
type Typed<Base, Map> = { [T in keyof Map]: Omit<Base, "type" | "payload"> & { type: T; payload: Map[T] } }[keyof Map];

/** A notification, told apart by `method`. */
export type NotificationMessage = Told<NotificationMap>;

/** An envelope from an Agent, told apart by `type`. */
export type AgentEnvelope = Typed<Envelope, AgentEnvelopeMap>;

/** An envelope to an Agent, told apart by `type`. */
export type RuntimeEnvelope = Typed<OutgoingEnvelope, RuntimeEnvelopeMap>;

/** A message of an Inbox, told apart by `type`. */
export type InboxMessage = Typed<MiniAppMessage, InboxPayloadMap>;

/** The version to name in `initialize`. */
export const PROTOCOL_VERSION = "1.0" as const;

/** Every `error.code`. */
export const ERROR_CODES = {
  "ParseError": -32700,
  "InvalidRequest": -32600,
  "MethodNotFound": -32601,
  "InvalidParams": -32602,
  "InternalError": -32603,
  "NotInitialized": -32002,
  "Refused": 1000
} as const;

/** The `error` of an answer, told apart by `code`. */
export type RpcError =
  | { code: -32700; message: string; data?: unknown }
  | { code: -32600; message: string; data?: unknown }
  | { code: -32601; message: string; data?: unknown }
  | { code: -32602; message: string; data: InvalidParamsData }
  | { code: -32603; message: string; data: InternalErrorData }
  | { code: -32002; message: string; data?: unknown }
  | { code: 1000; message: string; data: RefusalData };

/** Every `error.data.code` of a refusal. */
export const REFUSAL_CODES = [
  "inventory_revision_mismatch",
  "tool_not_advertised",
  "tool_input_invalid",
  "tool_output_invalid",
  "app_disabled",
  "app_instance_not_found",
  "app_scope_mismatch",
  "lifecycle_denied",
  "capability_denied",
  "call_already_final",
  "context_token_invalid",
  "permission_denied",
  "call_not_found",
  "call_id_conflict",
  "call_state_invalid",
  "envelope_invalid",
  "message_not_found",
  "interaction_not_found",
  "interaction_already_final",
  "interaction_request_invalid",
  "interaction_result_invalid",
  "renderer_unavailable",
  "app_session_invalid",
  "surface_not_found",
  "surface_denied",
  "surface_patch_invalid",
  "surface_revision_conflict",
  "artifact_invalid",
  "artifact_not_found",
  "manifest_invalid",
  "capability_request_not_found",
  "limit_exceeded",
  "shutting_down"
] as const satisfies readonly RefusalCode[];

/** What to do about each refusal. */
export const REFUSAL_TEXTS = {
  "inventory_revision_mismatch": "The Tools have changed: use the current revision and the Tool as it is now.",
  "tool_not_advertised": "No such Tool in the inventory: call one that the latest client.inventory lists.",
  "tool_input_invalid": "The input does not fit the Tool's input_schema: mend what errors names, with a new call_id.",
  "tool_output_invalid": "The result does not fit the Tool's output_schema: mend it and complete again.",
  "app_disabled": "The MiniApp is switched off: nothing reaches it until the user enables it.",
  "app_instance_not_found": "No live instance of that MiniApp: launch it first.",
  "app_scope_mismatch": "The app_scope is not the Tool's own, or there is no such MiniApp.",
  "lifecycle_denied": "The Runtime does not allow that lifecycle change now.",
  "capability_denied": "The capability was denied; reason says by whom.",
  "call_already_final": "The call has ended; its outcome stands. Another try is another call_id.",
  "context_token_invalid": "The token is unknown or revoked: mount again and use the new one.",
  "permission_denied": "This caller may not do that.",
  "call_not_found": "No such call of this instance.",
  "call_id_conflict": "The call_id was used for other content: choose a new one.",
  "call_state_invalid": "The call is not running yet: subscribe to sdk.tools and take it first.",
  "envelope_invalid": "The envelope is malformed or contradicts its authenticated peer.",
  "message_not_found": "No such message in this Inbox.",
  "interaction_not_found": "No such interaction here.",
  "interaction_already_final": "The interaction has ended; its outcome stands.",
  "interaction_request_invalid": "The question is not one of the four standard requests: mend the paths in errors.",
  "interaction_result_invalid": "The answer does not fit the question, which stays open: mend the paths in errors.",
  "renderer_unavailable": "The Host has no renderer for this question.",
  "app_session_invalid": "No such app session of this Agent and conversation.",
  "surface_not_found": "No such surface of this caller.",
  "surface_denied": "The surface is not allowed as asked for.",
  "surface_patch_invalid": "The patch is not a sound merge patch within the limits; the state is unchanged.",
  "surface_revision_conflict": "The surface has moved on: read it and patch again from the revision given.",
  "artifact_invalid": "The artifact's name, type, size or hash does not hold.",
  "artifact_not_found": "No such artifact.",
  "manifest_invalid": "The manifest does not follow Manifest v1: mend the paths in errors.",
  "capability_request_not_found": "No such open capability request.",
  "limit_exceeded": "A bound is reached: limit names it, actual is what was there; let something end, or send less.",
  "shutting_down": "The Runtime is ending; start it anew."
} as const satisfies Readonly<Record<RefusalCode, string>>;

/** What a surface token may call. */
export const SURFACE_METHODS = [
  "sdk.context.get",
  "sdk.surfaces.get",
  "sdk.surfaces.update",
  "sdk.surfaces.emit",
  "sdk.surfaces.submit",
  "sdk.surfaces.requestClose"
] as const satisfies readonly Method[];

/** The limits of this version; `initialize` tells those that apply. */
export const LIMITS = {
  "max_message_bytes": 8388608,
  "max_queued_bytes": 33554432,
  "max_json_depth": 64,
  "max_batch": 1000,
  "max_ack": 10000,
  "outbox_window": 64,
  "max_outbox_pending": 10000,
  "max_inbox_pending": 1000,
  "max_inbox_pending_bytes": 5242880,
  "max_surface_events_pending": 200,
  "max_instances": 16,
  "max_open_calls": 100,
  "max_open_calls_bytes": 4194304,
  "max_result_bytes": 4194304,
  "max_open_interactions": 50,
  "max_open_interactions_of_instance": 8,
  "max_open_interactions_bytes": 4194304,
  "max_surfaces": 4,
  "max_patch_bytes": 262144,
  "max_patch_depth": 32,
  "max_state_bytes": 1048576,
  "max_event_payload_bytes": 524288,
  "max_document_bytes": 4194304,
  "max_artifact_bytes": 4194304,
  "max_artifacts_of_instance_bytes": 67108864,
  "max_draft_bytes": 65536,
  "max_capability_requests": 8,
  "max_capability_arguments_bytes": 65536,
  "max_capability_result_bytes": 131072,
  "max_workers": 8
} as const;
