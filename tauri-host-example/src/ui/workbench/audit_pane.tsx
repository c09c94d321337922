import type { AuditEntry } from "@lineup/host";
import { useEffect, useState } from "preact/hooks";
import { AuditTrail } from "../../model/audit.ts";
import { t } from "../../text/text.ts";
import { exactTime } from "../../text/time.ts";
import { useHost } from "../host_context.ts";
import { Icon } from "../icon.tsx";

/** Every decision, the newest first, a page at a time. */
export function AuditPane() {
  const host = useHost();
  const live = host.isLive.value;
  const [trail] = useState(() => new AuditTrail(host.client));
  useEffect(() => {
    if (live) void host.attempt(() => trail.readNewest());
  }, [host, live, trail]);
  const entries = trail.entries.value;
  return (
    <>
      <div class="pane-acts">
        <button
          type="button"
          class="small"
          disabled={!live}
          onClick={() => void host.attempt(() => trail.readNewest())}
        >
          <Icon name="refresh" />
          {t("audit.newer")}
        </button>
      </div>
      {entries.length === 0 && <p class="hint">{t("audit.none")}</p>}
      <ol class="rows audit" reversed>
        {entries.map((entry) => (
          <Row key={entry.seq} entry={entry} />
        ))}
      </ol>
      {trail.hasOlder.value && (
        <button type="button" class="small" disabled={!live} onClick={() => void host.attempt(() => trail.readOlder())}>
          {t("audit.older")}
        </button>
      )}
    </>
  );
}

function Row({ entry }: { entry: AuditEntry }) {
  const { seq, at, actor, action, decision, code, subject } = entry;
  return (
    <li data-decision={decision}>
      <details>
        <summary>
          <span class="audit-seq">{seq}</span>
          <span class="audit-actor">{t(`actor.${actor}`)}</span>
          <code>{action}</code>
          {decision === "refused" && <span class="status status-failed">{code ?? t("audit.refused")}</span>}
          <time dateTime={at}>{exactTime(at)}</time>
        </summary>
        {subject !== null && <p class="hint">{subject}</p>}
        <pre class="json">{JSON.stringify({ ...entry, previous_hash: undefined }, null, 2)}</pre>
      </details>
    </li>
  );
}
