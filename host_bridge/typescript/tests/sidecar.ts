// The real sidecar, as the tests start it: on a store of its own, and gone when the test is over.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { childProcess, type InitializeResult, PROTOCOL_VERSION, RpcClient } from "../src/index.js";

export const HOST = { name: "lineup-host-typescript-tests", version: "1.0.0" };

/** The program under test: LINEUP_SIDECAR, else the one of the project's environment. */
export function sidecarPath(): string {
  const path =
    process.env["LINEUP_SIDECAR"] ?? fileURLToPath(new URL("../../../.venv/bin/lineup-sidecar", import.meta.url));
  if (!existsSync(path)) throw new Error(`no sidecar at ${path}: run "make" in the project, or set LINEUP_SIDECAR`);
  return path;
}

/** A folder that is removed when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lineup-host-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Where one sidecar after the other finds the same store. */
export interface Bed {
  readonly folder: string;
  readonly spawn: () => ChildProcessWithoutNullStreams;
  /** Every process that was started, the newest last. */
  readonly processes: ChildProcessWithoutNullStreams[];
}

export async function makeBed(...args: string[]): Promise<Bed> {
  const folder = await temporaryFolder();
  const processes: ChildProcessWithoutNullStreams[] = [];
  const command = ["--database", join(folder, "store.sqlite"), "--log-level", "error", ...args];
  onTestFinished(async () => {
    for (const child of processes) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });
  const start = () => {
    const child = spawn(sidecarPath(), command);
    processes.push(child);
    return child;
  };
  return { folder, spawn: start, processes };
}

/** A client with a session on a new sidecar. */
export async function startSession(
  ...args: string[]
): Promise<{ client: RpcClient; session: InitializeResult; bed: Bed }> {
  const bed = await makeBed(...args);
  const client = new RpcClient();
  await client.connect(childProcess(bed.spawn));
  const session = await client.call("initialize", { protocol_version: PROTOCOL_VERSION, host: HOST });
  return { client, session, bed };
}
