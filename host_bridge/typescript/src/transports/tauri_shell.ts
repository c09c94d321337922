import { ConnectionLostError } from "../errors.js";
import { type Line, LineDecoder, LineJoiner } from "../lines.js";
import { deliver, endOf, type Receiver, StderrTail, type Transport, WriteQueue } from "../transport.js";

interface ShellOutput {
  on(event: "data", listener: (data: string | Uint8Array) => void): unknown;
}

/** What is needed of a `Command` of `@tauri-apps/plugin-shell`. */
export interface ShellCommand {
  readonly stdout: ShellOutput;
  readonly stderr: ShellOutput;
  on(event: "close", listener: (end: { code: number | null; signal: number | null }) => void): unknown;
  on(event: "error", listener: (message: string) => void): unknown;
  spawn(): Promise<ShellChild>;
}

interface ShellChild {
  write(data: string): Promise<void>;
  kill(): Promise<void>;
}

/**
 * Tauri, with the sidecar started by the page: `tauriShell(() => Command.sidecar("binaries/lineup-sidecar", args))`.
 *
 * `command` is called for each connection. The plugin cannot close the child's input, so that `close` is `kill`: say
 * `shutdown` and `exit` first. Its children outlive a page that reloads; where that may happen let Rust own the pipe
 * and use `tauriChannel`.
 */
export function tauriShell(command: () => ShellCommand): Transport {
  return { open: (receiver) => open(command(), receiver) };
}

async function open(command: ShellCommand, receiver: Receiver) {
  const tail = new StderrTail();
  const lines = new ShellLines();
  const text = new TextDecoder();
  command.stdout.on("data", (data) => deliver(lines.feed(data), receiver));
  command.stderr.on("data", (data) => tail.add(typeof data === "string" ? data : text.decode(Uint8Array.from(data))));
  command.on("error", (message) => receiver.fault({ message: `the shell plugin: ${message}` }));
  command.on("close", ({ code, signal }) => receiver.lost(endOf(code, signal, tail.text)));
  const child = await spawn(command);
  const queue = new WriteQueue((data) => child.write(data));
  const kill = () => child.kill();
  return { send: (message: string) => queue.push(`${message}\n`), close: kill, kill };
}

async function spawn(command: ShellCommand): Promise<ShellChild> {
  try {
    return await command.spawn();
  } catch (error) {
    throw new ConnectionLostError({ message: `the sidecar could not be started: ${error}`, final: true });
  }
}

/** The plugin's events: text lines, or chunks of bytes where its `encoding` is `raw`. */
class ShellLines {
  readonly #joiner = new LineJoiner();
  readonly #decoder = new LineDecoder();

  feed(data: string | Uint8Array): Line[] {
    return typeof data === "string" ? this.#joiner.feed(data) : this.#decoder.feed(Uint8Array.from(data));
  }
}
