import type { InteractionStatus } from "../contract.js";

/**
 * How a question ended, as the user should be told: each is a different thing (E13).
 *
 * `answered` by the user; `cancelled` by the user; `withdrawn` by whoever asked; `app_closed`: the MiniApp that asked is
 * gone or switched off; `expired`: nobody answered in time; `failed`: its MiniApp crashed; `unseen`: it ended while the
 * connection was lost.
 */
export type Ending = "answered" | "cancelled" | "withdrawn" | "app_closed" | "expired" | "failed" | "unseen";

export function endingOf(status: InteractionStatus, reason: string | null): Ending {
  switch (status) {
    case "submitted":
    case "completed":
      return "answered";
    case "expired":
      return "expired";
    case "failed":
      return "failed";
    case "cancelled":
      if (reason === "user_cancelled") return "cancelled";
      return reason === "app_closed" || reason === "app_disabled" ? "app_closed" : "withdrawn";
    default:
      return "unseen";
  }
}
