import type { SurfaceMethod } from "../attached_surfaces.js";
import type { JsonObject, RefusalCode } from "../contract.js";
import { LIMITS, SURFACE_METHODS } from "../contract.js";
import { UnsendableError } from "../errors.js";
import { isObject, writeJson } from "../json.js";
import type { FrameRefusal } from "./refusals.js";

/** A request of a view, as far as it can be read. */
export type FrameRequest =
  | { readonly id: RequestId; readonly method: SurfaceMethod; readonly params: JsonObject }
  | { readonly id: RequestId | null; readonly refusal: FrameRefusal; readonly error: FrameError };

export type RequestId = number | string;

/** The error of an answer to a view: as the Runtime itself would put it. */
export interface FrameError {
  readonly code: number;
  readonly message: string;
  readonly data: JsonObject;
}

const ENVELOPE_BYTES = 4 * 1024;
const MAX_ID_LENGTH = 64;

/** Read what came over a frame's port. Nothing of it is trusted: it may be anything that can be cloned. */
export function readRequest(data: unknown, surfaceId: string): FrameRequest {
  if (!isObject(data)) return { id: null, ...malformed("a request is an object") };
  const id = isId(data["id"]) ? data["id"] : null;
  const { method, params = {} } = data;
  if (id === null || typeof method !== "string" || !isObject(params)) {
    return { id, ...malformed("a request has an id, a method and params") };
  }
  if (!isMethod(method))
    return { id, refusal: "method", error: refused("permission_denied", "a view may not ask that") };
  const { surface_id, ...own } = params;
  if (Object.hasOwn(params, "context_token")) return { id, ...invalid("context_token", "a view has no token") };
  if (surface_id !== undefined && surface_id !== surfaceId) {
    return { id, ...invalid("surface_id", "a view speaks of its own surface only") };
  }
  const fault = findFault(own, method);
  return fault === null ? { id, method, params: own as JsonObject } : { id, ...fault };
}

type Fault = { readonly refusal: FrameRefusal; readonly error: FrameError };

function findFault(params: object, method: SurfaceMethod): Fault | null {
  const maxBytes = boundOf(method);
  try {
    writeJson(params, { maxBytes });
    return null;
  } catch (error) {
    if (!(error instanceof UnsendableError)) throw error;
    if (error.code !== "too_large") return invalid("", error.message);
    return { refusal: "size", error: tooMuch("message_bytes", maxBytes) };
  }
}

/** A bound of the bridge is reached. */
export function tooMuch(limit: string, bound: number): FrameError {
  return refused("limit_exceeded", `${limit} may be at most ${bound}`, { limit, bound });
}

/** More than the Runtime takes, so that it decides what is too much; less than would hurt. */
function boundOf(method: SurfaceMethod): number {
  const bytes =
    method === "sdk.surfaces.submit" ? Math.ceil((LIMITS.max_artifact_bytes * 4) / 3) : LIMITS.max_patch_bytes;
  return bytes + ENVELOPE_BYTES;
}

function malformed(message: string): Fault {
  return { refusal: "malformed", error: { code: -32600, message, data: {} } };
}

function invalid(path: string, message: string): Fault {
  return { refusal: "params", error: { code: -32602, message, data: { errors: [{ path, message }] } } };
}

function refused(code: RefusalCode, message: string, more: JsonObject = {}): FrameError {
  return { code: 1000, message, data: { code, ...more } };
}

function isId(id: unknown): id is RequestId {
  return typeof id === "number" ? Number.isFinite(id) : typeof id === "string" && id.length <= MAX_ID_LENGTH;
}

function isMethod(method: string): method is SurfaceMethod {
  return (SURFACE_METHODS as readonly string[]).includes(method);
}
