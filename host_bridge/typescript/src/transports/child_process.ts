import { ConnectionLostError, type Loss } from "../errors.js";
import { LineDecoder } from "../lines.js";
import { type Connection, deliver, endOf, type Receiver, StderrTail, type Transport } from "../transport.js";

interface Readable {
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
}

interface Writable {
  write(text: string): unknown;
  end(): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** What is needed of Node's `ChildProcess`, with its three pipes. */
export interface PipedProcess {
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly pid?: number | undefined;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "exit" | "close", listener: (code: number | null, signal: string | null) => void): unknown;
  kill(signal: "SIGKILL"): unknown;
}

/** How long what was written is still read after the process has gone, where somebody else holds its pipes. */
const DRAIN_MS = 500;

/**
 * Node and Electron: `childProcess(() => spawn("lineup-sidecar", args))`.
 *
 * `spawn` is called for each connection, with `stdio` left at its default, `"pipe"`.
 */
export function childProcess(spawn: () => PipedProcess): Transport {
  return {
    open: (receiver) => new Promise((resolve, reject) => open(spawn(), receiver, resolve, reject)),
  };
}

function open(
  child: PipedProcess,
  receiver: Receiver,
  resolve: (connection: Connection) => void,
  reject: (error: Error) => void,
): void {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) {
    child.kill("SIGKILL");
    return reject(new ConnectionLostError({ message: "the process was started without pipes" }));
  }
  const tail = new StderrTail();
  const lose = once((loss: Loss) => {
    receiver.lost(loss);
    reject(new ConnectionLostError(loss));
  });
  const decoder = new LineDecoder();
  stdout.on("data", (chunk) => deliver(decoder.feed(chunk), receiver));
  const text = new TextDecoder();
  stderr.on("data", (chunk) => tail.add(text.decode(chunk, { stream: true })));
  stdin.on("error", () => undefined); // a broken pipe: the process's end tells of it
  child.on("error", (error) => lose({ message: `the sidecar could not be started: ${error.message}`, final: true }));
  child.on("exit", (code, signal) => void setTimeout(() => lose(endOf(code, signal, tail.text)), DRAIN_MS));
  child.on("close", (code, signal) => lose(endOf(code, signal, tail.text)));
  if (child.pid === undefined) return; // its `error` comes next
  resolve({
    send: (message) => void stdin.write(`${message}\n`),
    close: () => void stdin.end(),
    kill: () => void child.kill("SIGKILL"),
  });
}

function once<A>(act: (argument: A) => void): (argument: A) => void {
  let done = false;
  return (argument) => {
    if (done) return;
    done = true;
    act(argument);
  };
}
