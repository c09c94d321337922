import { t } from "../../text/text.ts";
import { exactTime } from "../../text/time.ts";
import { CallStatus } from "../call_status.tsx";
import { useHost } from "../host_context.ts";

export function CallsPane() {
  const host = useHost();
  const { tool_calls } = host.workspace.value;
  const known = host.agent.feed.value.calls;
  if (tool_calls.length === 0) return <p class="hint">{t("calls.none")}</p>;
  return (
    <ul class="rows">
      {tool_calls.map(({ call_id, tool_id, status, updated_at }) => (
        <li key={call_id}>
          <p class="call-head">
            <code>{tool_id}</code>
            <CallStatus status={known[call_id]?.status ?? status} />
          </p>
          <p class="hint">
            {call_id} · {exactTime(updated_at)}
          </p>
        </li>
      ))}
    </ul>
  );
}
