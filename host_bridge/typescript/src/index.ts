export { AttachedSurfaces, type SurfaceMethod, type SurfaceParams } from "./attached_surfaces.js";
export * from "./contract.js";
export {
  ConnectionLostError,
  isRefusal,
  type Loss,
  type ProtocolFault,
  ResponseError,
  type UnsendableCode,
  UnsendableError,
} from "./errors.js";
export { type JsonBounds, writeJson } from "./json.js";
export { type Line, LineDecoder, LineJoiner } from "./lines.js";
export { diffStates, mergePatch } from "./merge_patch.js";
export type { NotificationHandler, NotificationName } from "./notifications.js";
export type { Observable } from "./observable.js";
export { checkAnswer, checkField, countCharacters, fits } from "./renderer/answer.js";
export { type Chosen, chooseAction, readChoice } from "./renderer/choice.js";
export { type Countdown, countDown } from "./renderer/countdown.js";
export type { DraftStatus } from "./renderer/draft_saver.js";
export { type Ending, endingOf } from "./renderer/ending.js";
export { draftOf, editForm, type Form, openForm, type Reading, readForm } from "./renderer/form.js";
export {
  faultsOf,
  isShown,
  openQuestion,
  type Question,
  type QuestionEvent,
  readAnswer,
  reduceQuestion,
} from "./renderer/question.js";
export { Renderer, type RendererOptions } from "./renderer/renderer.js";
export { RESTART_POLICY, type RestartPolicy } from "./restart_budget.js";
export { type Call, type CallOptions, RpcClient } from "./rpc_client.js";
export { Supervisor, type SupervisorOptions, type SupervisorState } from "./supervisor.js";
export type { DocumentServer } from "./surface/documents.js";
export type { Frame, FrameContainer, HostWindow } from "./surface/dom.js";
export { FrameListener } from "./surface/frame_listener.js";
export type { ServedDocument } from "./surface/guarded_document.js";
export type { FrameRefusal, RefusalCounts } from "./surface/refusals.js";
export { type BridgeOptions, type BridgeState, SurfaceBridge, type Theme } from "./surface/surface_bridge.js";
export type { Connection, Receiver, Transport } from "./transport.js";
export { childProcess, type PipedProcess } from "./transports/child_process.js";
export { type SidecarCommands, type SidecarEvent, type TauriCore, tauriChannel } from "./transports/tauri_channel.js";
export { type ShellCommand, tauriShell } from "./transports/tauri_shell.js";
export { type Socket, type SocketConstructor, webSocket } from "./transports/web_socket.js";
export { contextOf, findSurface, type SurfaceView, type WorkspaceState } from "./workspace_state.js";
export { WorkspaceStore } from "./workspace_store.js";
