import { countDown } from "@lineup/host";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../text/text.ts";
import { Icon } from "../icon.tsx";

/** How long a question still waits. It is not announced: a clock that speaks is noise. */
export function Expiry({ until }: { until: string | null }) {
  const [now, setNow] = useState(Date.now());
  const left = countDown(until, now);
  const next = left?.nextMs ?? null;
  useEffect(() => {
    if (next === null) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), next);
    return () => clearTimeout(timer);
  }, [next, now]);
  if (left === null) return null;
  return (
    <p class="expiry">
      <Icon name="clock" />
      {left.expired ? t("expiry.over") : t("expiry.left", { time: left.text })}
    </p>
  );
}
