import { LIMITS } from "./contract.js";
import { type Loss, type ProtocolFault, UnsendableError } from "./errors.js";
import type { Line } from "./lines.js";

/** What a transport tells of one connection. After `lost` it says nothing more. */
export interface Receiver {
  /** One whole JSON text. */
  receive(text: string): void;
  fault(fault: ProtocolFault): void;
  lost(loss: Loss): void;
}

/** One live connection: a process's pipes or a socket. */
export interface Connection {
  /**
   * Send one JSON text without a line break. A rejection means that the connection is unusable.
   * @throws UnsendableError where it is not sent and the connection goes on
   */
  send(text: string): void | Promise<void>;
  /** End it politely: what was sent is still taken. Where that cannot be said, this is `kill`. */
  close(): void | Promise<void>;
  /** End it now. */
  kill(): void | Promise<void>;
}

/** A way to the Runtime. Each `open` starts a new process or connects anew. */
export interface Transport {
  open(receiver: Receiver): Promise<Connection>;
}

/** End a connection now, whatever is left of it. */
export async function endNow(connection: Connection | null): Promise<void> {
  try {
    await connection?.kill();
  } catch {
    // it has ended
  }
}

/** Hand lines on. */
export function deliver(lines: readonly Line[], receiver: Receiver): void {
  for (const line of lines) {
    if ("text" in line) receiver.receive(line.text);
    else receiver.fault({ message: line.fault });
  }
}

/** Exit codes after which another start is in vain: wrong options, a store made by a newer version (PROTOCOL 9). */
const FINAL_EXIT_CODES: readonly unknown[] = [2, 4];

/** The loss that the end of a process is. */
export function endOf(exitCode: number | null, signal: string | number | null, stderr: string): Loss {
  const how = signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
  const final = FINAL_EXIT_CODES.includes(exitCode);
  return { message: `the sidecar ended with ${how}`, exitCode, signal, stderr, final };
}

const STDERR_KEPT = 8 * 1024;

/** Keeps the newest part of what a process writes to stderr. */
export class StderrTail {
  #text = "";

  add(text: string): void {
    this.#text = (this.#text + text).slice(-STDERR_KEPT);
  }

  get text(): string {
    return this.#text.trimEnd();
  }
}

/** What goes out at once, and what may wait, in UTF-16 units. */
const WRITTEN_AT_ONCE = LIMITS.max_message_bytes;
const MAX_WAITING = LIMITS.max_queued_bytes;

/** Writes one after another where a write is itself asynchronous; what waits meanwhile goes out together. */
export class WriteQueue {
  #waiting: string[] = [];
  #units = 0;
  #writing: Promise<void> | null = null;
  readonly #write: (text: string) => Promise<void>;

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when the text was written. @throws UnsendableError at once, where too much waits already */
  push(text: string): Promise<void> {
    if (this.#units > 0 && this.#units + text.length > MAX_WAITING) {
      throw new UnsendableError(
        `the Runtime does not read: ${this.#units} characters wait for it already`,
        "queue_full",
      );
    }
    this.#waiting.push(text);
    this.#units += text.length;
    this.#writing ??= Promise.resolve().then(() => this.#drain());
    return this.#writing;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const text = this.#takeSome();
        await this.#write(text);
        this.#units -= text.length;
      }
    } finally {
      this.#waiting = [];
      this.#units = 0;
      this.#writing = null;
    }
  }

  #takeSome(): string {
    let text = this.#waiting.shift() ?? "";
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (text.length + next.length > WRITTEN_AT_ONCE) break;
      text += next;
      this.#waiting.shift();
    }
    return text;
  }
}
