import type { RpcError } from "./contract.js";
import { isObject } from "./json.js";

/** What arrives: a notification, the answer to a request, or neither. */
export type Incoming =
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | { readonly kind: "error"; readonly id: number; readonly error: RpcError }
  | { readonly kind: "fault"; readonly message: string };

/** Read one JSON text; the answers of a batch come one by one. */
export function readMessages(text: string): Incoming[] {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return [fault("what arrived is not JSON")];
  }
  return Array.isArray(message) ? message.map(readMessage) : [readMessage(message)];
}

function readMessage(message: unknown): Incoming {
  if (!isObject(message) || message["jsonrpc"] !== "2.0") return fault("what arrived is not JSON-RPC 2.0");
  const { id, method } = message;
  if (typeof method === "string") {
    if (id !== undefined) return fault(`the Runtime asked for ${method}: requests go one way`);
    return { kind: "notification", method, params: message["params"] ?? {} };
  }
  if ("result" in message === "error" in message) return fault("an answer has either a result or an error");
  if ("error" in message && !isError(message["error"])) return fault("an error that is none");
  if (id === null && isError(message["error"])) return fault(`the Runtime could not read: ${message["error"].message}`);
  if (typeof id !== "number") return fault("an answer to nothing that was asked");
  if (isError(message["error"])) return { kind: "error", id, error: message["error"] };
  return { kind: "result", id, result: message["result"] };
}

function isError(error: unknown): error is RpcError {
  return isObject(error) && typeof error["code"] === "number" && typeof error["message"] === "string";
}

function fault(message: string): Incoming {
  return { kind: "fault", message };
}
