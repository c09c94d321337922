const NEWLINE = 0x0a;
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** One line that was read, or why it could not be. */
export type Line = { readonly text: string } | { readonly fault: string };

/** Cuts a stream of bytes into messages: one JSON text a line, ended by byte 0A and by nothing else (PROTOCOL 1.1). */
export class LineDecoder {
  #parts: Uint8Array[] = [];
  #size = 0;
  readonly #maxBytes: number;

  constructor(maxBytes = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Take bytes, cut anywhere; the lines that they complete. Empty ones are left out. */
  feed(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(...this.end());
      start = end + 1;
    }
    this.#keep(chunk.slice(start));
    return lines;
  }

  /** The last line, where the input ended without an end of line. */
  end(): Line[] {
    const bytes = join(this.#parts);
    const tooLong = this.#size > this.#maxBytes;
    this.#parts = [];
    this.#size = 0;
    return tooLong ? [{ fault: `a line over ${this.#maxBytes} bytes` }] : read(bytes);
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }
}

/**
 * Makes messages of the text events of a shell plugin.
 *
 * An event is a line with or without its end, or a piece of one: such plugins cut at a CR too, and hand over the last
 * line as it is.
 */
export class LineJoiner {
  #held = "";
  readonly #maxLength: number;

  constructor(maxLength = MAX_LINE_BYTES) {
    this.#maxLength = maxLength;
  }

  /** Take one event; the lines that it completes. */
  feed(event: string): Line[] {
    const pieces = (this.#held + event).split("\n");
    const rest = pieces.pop() ?? "";
    const lines: Line[] = pieces.filter((piece) => !isBlank(piece)).map((text) => ({ text }));
    if (this.#held !== "" && pieces.length === 0 && isMessage(event)) {
      lines.push({ fault: "a piece of a line" }, { text: event });
      this.#held = "";
    } else if (isBlank(rest)) {
      this.#held = "";
    } else if (isMessage(rest)) {
      lines.push({ text: rest });
      this.#held = "";
    } else if (rest.length > this.#maxLength) {
      lines.push({ fault: `a line over ${this.#maxLength} characters` });
      this.#held = "";
    } else {
      this.#held = rest;
    }
    return lines;
  }
}

function read(bytes: Uint8Array): Line[] {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return isBlank(text) ? [] : [{ text }];
  } catch {
    return [{ fault: "a line that is not UTF-8" }];
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

function isBlank(text: string): boolean {
  return /^[ \t\r]*$/.test(text);
}

/** Whether a text stands for itself: an event without its end of line that is a whole message. */
function isMessage(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === "object" && first !== null && "jsonrpc" in first;
  } catch {
    return false;
  }
}
