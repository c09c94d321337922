/** How long a question can still be answered. */
export interface Countdown {
  readonly leftMs: number;
  readonly expired: boolean;
  /** As `14:59` or `1:02:03`; rounded up, so that `0:00` means expired. */
  readonly text: string;
  /** When `text` changes next; null once it has expired. */
  readonly nextMs: number | null;
}

/** The time left at `now` (milliseconds since the epoch), or null where there is no expiry. */
export function countDown(expiresAt: string | null, now: number): Countdown | null {
  if (expiresAt === null) return null;
  const leftMs = Math.max(0, Date.parse(expiresAt) - now);
  const seconds = Math.ceil(leftMs / 1_000);
  return {
    leftMs,
    expired: leftMs === 0,
    text: clock(seconds),
    nextMs: leftMs === 0 ? null : leftMs - (seconds - 1) * 1_000,
  };
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, place) => (place === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}
