// Proof by compilation (`npm run check`): what is right compiles, and what is wrong does not.
import type { Channel, invoke } from "@tauri-apps/api/core";
import type { Command } from "@tauri-apps/plugin-shell";
import type { WebSocket as NodeWebSocket } from "ws";
import {
  type FrameContainer,
  type FrameListener,
  type HostWindow,
  isRefusal,
  type RpcClient,
  type ShellCommand,
  type SocketConstructor,
  type TauriCore,
  type WorkspaceStore,
} from "../src/index.js";

export async function useClient(client: RpcClient): Promise<void> {
  const { revision } = await client.call("workspace.open", { conversation_id: "c", agent_id: "a" });
  const next: number = revision + 1;
  await client.call("ping");
  await client.call("ping", {}, { signal: AbortSignal.timeout(1_000) });
  await client.call("miniapp.list", {}, { onResult: ({ miniapps }) => void miniapps[0]?.manifest.app_scope });
  const [pong, list] = await client.batch([["ping"], ["audit.list", { limit: next }]]);
  if (pong.status === "fulfilled" && list.status === "fulfilled") void list.value.entries.length;
  client.on("surface.patched", ({ by }) => void (by === "view"));
  for await (const { reason } of client.stream("runtime.resync")) void reason.length;

  // @ts-expect-error a required param is missing
  await client.call("workspace.open", { conversation_id: "c" });
  // @ts-expect-error params are not left out where one is required
  await client.call("workspace.open");
  // @ts-expect-error no such method
  await client.call("workspace.close");
  // @ts-expect-error no such option
  await client.call("ping", {}, { timeout: 1 });
  // @ts-expect-error a required param is missing in a batch
  await client.batch([["workspace.open", { conversation_id: "c" }]]);
  // @ts-expect-error no such notification
  client.on("surface.gone", () => undefined);
}

export async function useSurfaces({ surfaces }: WorkspaceStore): Promise<void> {
  await surfaces.call("s", "sdk.surfaces.update", { patch: {} });
  await surfaces.call("s", "sdk.context.get", {});
  // @ts-expect-error the token is added by the store
  await surfaces.call("s", "sdk.surfaces.update", { patch: {}, context_token: "t" });
  // @ts-expect-error not a view's method
  await surfaces.call("s", "sdk.tools.subscribe", {});
}

export function tellRefusals(error: unknown): void {
  if (isRefusal(error, "call_not_found")) void error.faults[0]?.path;
  // @ts-expect-error no such code
  isRefusal(error, "not_a_code");
}

// The structural types fit what they stand for.
export const shell = (command: Command<string> | Command<Uint8Array>): ShellCommand => command;
export const core = (parts: { invoke: typeof invoke; Channel: typeof Channel }): TauriCore => parts;
export const socket = (nodes: typeof NodeWebSocket, browsers: typeof WebSocket): SocketConstructor[] => [
  nodes,
  browsers,
];
export const container = (element: HTMLElement): FrameContainer => element;
export const listen = (listener: typeof FrameListener, browser: Window & HostWindow): FrameListener =>
  new listener(browser);
export const browserWindow = (browser: Window): HostWindow => browser;
