import { LIMITS } from "./contract.js";
import { UnsendableError } from "./errors.js";

/** What a message may be at most. */
export interface JsonBounds {
  readonly maxBytes?: number;
  readonly maxDepth?: number;
}

/**
 * Write a value as JSON that the Runtime reads (PROTOCOL 1.1).
 *
 * `JSON.stringify` alone would turn NaN into null, drop functions, and write lone surrogates that no strict reader
 * takes. A member that is undefined is left out.
 *
 * @throws UnsendableError
 */
export function writeJson(value: unknown, bounds: JsonBounds = {}): string {
  const { maxBytes = LIMITS.max_message_bytes, maxDepth = LIMITS.max_json_depth } = bounds;
  new Walk(maxBytes, maxDepth).visit(value, 0);
  const text = JSON.stringify(value);
  if (text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes) throw tooLarge(maxBytes);
  return text;
}

/** Whether a value is a JSON object; one of another realm too. */
export function isObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Visits every part once. It stops at the bound, so that neither a cycle nor shared parts make it long. */
class Walk {
  #bytes = 0;
  readonly #maxBytes: number;
  readonly #maxDepth: number;

  constructor(maxBytes: number, maxDepth: number) {
    this.#maxBytes = maxBytes;
    this.#maxDepth = maxDepth;
  }

  visit(value: unknown, depth: number): void {
    this.#count(1);
    if (typeof value === "string") return this.#text(value);
    if (typeof value === "boolean" || value === null) return;
    if (typeof value === "number") {
      if (!Number.isFinite(value)) throw new UnsendableError(`${value} is not JSON`);
      return;
    }
    if (depth >= this.#maxDepth) throw new UnsendableError(`nested over ${this.#maxDepth} levels`);
    if (Array.isArray(value)) {
      for (const part of value as unknown[]) this.visit(part, depth + 1);
    } else if (isObject(value)) {
      for (const [key, part] of Object.entries(value)) {
        if (part === undefined) continue;
        this.#text(key);
        this.visit(part, depth + 1);
      }
    } else {
      throw new UnsendableError(`${nameOf(value)} has no JSON form`);
    }
  }

  #text(text: string): void {
    this.#count(text.length);
    if (!text.isWellFormed()) throw new UnsendableError("the text holds a lone surrogate, which is no character");
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw tooLarge(this.#maxBytes);
  }
}

function tooLarge(maxBytes: number): UnsendableError {
  return new UnsendableError(`the message has over ${maxBytes} bytes`, "too_large");
}

function nameOf(value: unknown): string {
  return typeof value === "object" && value !== null ? (value.constructor?.name ?? "object") : typeof value;
}
