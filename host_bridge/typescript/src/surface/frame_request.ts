import type { SurfaceMethod } from "../attached_surfaces.js";
import type { JsonObject } from "../contract.js";
import { LIMITS, SURFACE_METHODS } from "../contract.js";
import { UnsendableError } from "../errors.js";
import { isObject, writeJson } from "../json.js";
import type { FrameRefusal } from "./refusals.js";

/** A request of a view, as far as it can be read. */
export type FrameRequest =
  | { readonly id: RequestId; readonly method: SurfaceMethod; readonly params: JsonObject }
  | { readonly id: RequestId | null; readonly refusal: FrameRefusal; readonly error: FrameError };

export type RequestId = number | string;

/** The error of an answer to a view: as in JSON-RPC, with the stable word in `data.code`. */
export interface FrameError {
  readonly code: number;
  readonly message: string;
  readonly data: JsonObject;
}

const ENVELOPE_BYTES = 4 * 1024;
const MAX_ID_LENGTH = 64;

/** Read what came over a frame's port. Nothing of it is trusted: it may be anything that can be cloned. */
export function readRequest(data: unknown, surfaceId: string): FrameRequest {
  if (!isObject(data)) return refuse(null, "malformed", -32600, "a request is an object");
  const id = isId(data["id"]) ? data["id"] : null;
  const { method, params = {} } = data;
  if (id === null || typeof method !== "string" || !isObject(params)) {
    return refuse(id, "malformed", -32600, "a request has an id, a method and params");
  }
  if (!isMethod(method)) return refuse(id, "method", -32601, "a view may not ask for that");
  if (Object.hasOwn(params, "context_token")) return refuse(id, "params", -32602, "a view has no token");
  const { surface_id, ...own } = params;
  if (surface_id !== undefined && surface_id !== surfaceId) {
    return refuse(id, "params", -32602, "a view speaks of its own surface only");
  }
  const fault = findFault(own, method);
  return fault === null ? { id, method, params: own as JsonObject } : { id, ...fault };
}

function findFault(params: object, method: SurfaceMethod): { refusal: FrameRefusal; error: FrameError } | null {
  const maxBytes = boundOf(method);
  try {
    writeJson(params, { maxBytes });
    return null;
  } catch (error) {
    if (!(error instanceof UnsendableError)) throw error;
    if (!error.tooLarge) return wrong("params", -32602, error.message);
    return wrong("size", 1000, error.message, { code: "limit_exceeded", limit: "message_bytes", bound: maxBytes });
  }
}

/** More than the Runtime takes, so that it decides what is too much; less than would hurt. */
function boundOf(method: SurfaceMethod): number {
  const bytes =
    method === "sdk.surfaces.submit" ? Math.ceil((LIMITS.max_artifact_bytes * 4) / 3) : LIMITS.max_patch_bytes;
  return bytes + ENVELOPE_BYTES;
}

function refuse(id: RequestId | null, refusal: FrameRefusal, code: number, message: string): FrameRequest {
  return { id, ...wrong(refusal, code, message) };
}

function wrong(
  refusal: FrameRefusal,
  code: number,
  message: string,
  data: JsonObject = { code: `${refusal}_refused` },
) {
  return { refusal, error: { code, message, data } };
}

function isId(id: unknown): id is RequestId {
  return typeof id === "number" ? Number.isFinite(id) : typeof id === "string" && id.length <= MAX_ID_LENGTH;
}

function isMethod(method: string): method is SurfaceMethod {
  return (SURFACE_METHODS as readonly string[]).includes(method);
}
