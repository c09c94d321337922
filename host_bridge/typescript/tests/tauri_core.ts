// Stands in for Tauri's core, which is Rust: what @tauri-apps/api and its plugins call. The processes behind it are real.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { vi } from "vitest";

type Command = (args: Record<string, unknown>) => unknown;
type Callback = (message: unknown) => void;

/** Install the commands as the core of this "web view"; the result sends messages to a page's Channel, in order. */
export function installCore(commands: Record<string, Command>): (channel: unknown, message: unknown) => void {
  const callbacks = new Map<number, Callback>();
  const indices = new Map<number, number>();
  const internals = {
    transformCallback: (callback: Callback) => callbacks.set(callbacks.size + 1, callback).size,
    unregisterCallback: (id: number) => callbacks.delete(id),
    invoke: async (name: string, args: Record<string, unknown>) => {
      const command = commands[name];
      if (command === undefined) throw `${name} not allowed. Command not found`;
      return command(args);
    },
  };
  vi.stubGlobal("window", { __TAURI_INTERNALS__: internals });
  return (channel, message) => {
    const { id } = channel as { id: number };
    const index = indices.get(id) ?? 0;
    indices.set(id, index + 1);
    callbacks.get(id)?.({ index, message });
  };
}

/** The shell plugin's three commands for a child: events are cut as it cuts them, at LF, or at CR where no LF is there yet. */
export function installShell(spawn: (args: Record<string, unknown>) => ChildProcessWithoutNullStreams): void {
  const children = new Map<number, ChildProcessWithoutNullStreams>();
  const send = installCore({
    "plugin:shell|spawn": (args) => {
      const child = spawn(args);
      const pid = child.pid ?? 0;
      children.set(pid, child);
      child.stdin.on("error", () => undefined); // the plugin drops what a dead child does not take
      const raw = (args["options"] as { encoding?: string }).encoding === "raw";
      const emit = (event: string) => (piece: Uint8Array) =>
        send(args["onEvent"], { event, payload: raw ? [...piece] : new TextDecoder().decode(piece) });
      child.stdout.on("data", raw ? emit("Stdout") : cut(emit("Stdout")));
      child.stderr.on("data", raw ? emit("Stderr") : cut(emit("Stderr")));
      void once(child, "close").then(([code, signal]) =>
        send(args["onEvent"], { event: "Terminated", payload: { code, signal: signal === "SIGKILL" ? 9 : null } }),
      );
      return pid;
    },
    "plugin:shell|stdin_write": ({ pid, buffer }) => void children.get(pid as number)?.stdin.write(buffer as string),
    "plugin:shell|kill": ({ pid }) => void children.get(pid as number)?.kill("SIGKILL"),
  });
}

function cut(emit: (piece: Uint8Array) => void): (chunk: Buffer) => void {
  let held = Buffer.alloc(0);
  return (chunk) => {
    held = Buffer.concat([held, chunk]);
    for (let end = findEnd(held); end > 0; end = findEnd(held)) {
      emit(held.subarray(0, end));
      held = held.subarray(end);
    }
  };
}

function findEnd(held: Buffer): number {
  const newline = held.indexOf("\n") + 1;
  return newline > 0 ? newline : held.indexOf("\r") + 1;
}
