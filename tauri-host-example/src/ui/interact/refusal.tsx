import { useState } from "preact/hooks";
import type { Timeline } from "../../model/timeline.ts";
import { t } from "../../text/text.ts";
import { Icon } from "../icon.tsx";

const KNOWN = ["no_audio", "no_video", "no_text"] as const;

/** What Interact did not do, and why; it stays until the user has read it. */
export function Refusal({ refusal }: { refusal: Timeline["refusal"] }) {
  const [read, setRead] = useState<Timeline["refusal"]>(null);
  if (refusal === null || refusal === read) return null;
  const known = KNOWN.find((one) => one === refusal.code);
  return (
    <div class="refusal" role="status">
      <p>
        {refusal.event === "set_mode" ? t("interact.mode-refused") : t("interact.refused")}{" "}
        {known === undefined ? refusal.reason : t(`refused.${known}`)}
      </p>
      <button
        type="button"
        class="quiet icon-only"
        aria-label={t("notes.dismiss")}
        title={t("notes.dismiss")}
        onClick={() => setRead(refusal)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
