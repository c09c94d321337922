import type { Fault, RefusalCode, RpcError } from "./contract.js";

/** How a connection ended, as far as its transport can tell. */
export interface Loss {
  readonly message: string;
  readonly exitCode?: number | null;
  readonly signal?: string | number | null;
  /** Why a socket was closed. */
  readonly code?: number;
  /** The newest part of what the process wrote to stderr. */
  readonly stderr?: string;
  /** The error with which `initialize` was answered. */
  readonly answer?: RpcError;
  /** To connect again without a change is in vain, or not wanted. */
  readonly final?: boolean;
}

/** There is no connection, or it ended before the answer came. Whether the request was carried out is not known. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
  readonly code = "connection_lost";
  readonly loss: Loss;

  constructor(loss: Loss) {
    super(loss.message);
    this.loss = loss;
  }
}

/** An error answer. `refusal` is the stable code where the Runtime refused, `faults` say what to mend. */
export class ResponseError extends Error {
  override readonly name = "ResponseError";
  readonly error: RpcError;

  constructor(error: RpcError) {
    super(error.message);
    this.error = error;
  }

  get code(): number {
    return this.error.code;
  }

  get refusal(): RefusalCode | null {
    return this.error.code === 1000 ? this.error.data.code : null;
  }

  get faults(): readonly Fault[] {
    const { error } = this;
    return error.code === 1000 || error.code === -32602 ? (error.data.errors ?? []) : [];
  }
}

/** Why a message was not sent: it has no strict JSON form, or too much of it, or the Runtime does not read. */
export type UnsendableCode = "not_json" | "too_large" | "queue_full";

/** A message that was not sent: the Runtime could not read it, or reads nothing now. The connection goes on. */
export class UnsendableError extends Error {
  override readonly name = "UnsendableError";
  readonly code: UnsendableCode;

  constructor(message: string, code: UnsendableCode = "not_json") {
    super(message);
    this.code = code;
  }
}

/** Something arrived that is not the protocol. It settles nothing; a Host logs it. What was sent is never repeated. */
export interface ProtocolFault {
  readonly message: string;
}

/** Whether an error is a refusal, of one of these codes where any are named. */
export function isRefusal(error: unknown, ...codes: readonly RefusalCode[]): error is ResponseError {
  if (!(error instanceof ResponseError) || error.refusal === null) return false;
  return codes.length === 0 || codes.includes(error.refusal);
}
