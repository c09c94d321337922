import { count, t } from "../../text/text.ts";
import { exactTime } from "../../text/time.ts";
import { useHost } from "../host_context.ts";
import { SwitchLine } from "../switch_line.tsx";

/** What is on its way to the Agent. It passes in a moment, unless it is held. */
export function OutboxPane() {
  const { outbox } = useHost();
  const rows = outbox.rows.value;
  return (
    <>
      <SwitchLine
        label={t("outbox.hold")}
        hint={t("outbox.hold-hint")}
        checked={outbox.held.value}
        onToggle={() => (outbox.held.value = !outbox.held.value)}
      />
      <p class="hint" role="status">
        {rows.length === 0 ? t("outbox.none") : count("outbox.rows", rows.length)}
      </p>
      <ul class="rows">
        {rows.map(({ outbox_id, envelope }) => (
          <li key={outbox_id}>
            <p class="call-head">
              <code>{envelope.type.replace("lineup.v1.", "")}</code>
              <time dateTime={envelope.sent_at}>{exactTime(envelope.sent_at)}</time>
            </p>
            <details>
              <summary>{outbox_id}</summary>
              <pre class="json">{JSON.stringify(envelope.payload, null, 2)}</pre>
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}
