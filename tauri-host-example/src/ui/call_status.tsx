import { t } from "../text/text.ts";

const KNOWN = [
  ...(["sending", "received", "routing", "waiting_for_app", "running", "submitted"] as const),
  ...(["completed", "failed", "cancelled", "expired", "rejected"] as const),
];

/** How a Tool call stands, in the user's words. */
export function CallStatus({ status }: { status: string }) {
  const known = KNOWN.find((one) => one === status);
  return <span class={`status status-${known ?? "unknown"}`}>{known ? t(`call.${known}`) : status}</span>;
}
