import { type AgentCall, isFinal } from "../../model/agent_feed.ts";
import { t } from "../../text/text.ts";
import { CallStatus } from "../call_status.tsx";
import { useHost } from "../host_context.ts";
import { Artifact } from "./artifact.tsx";

/** A call as the Agent knows it: how far it is, what came of it, and the way to give it up. */
export function AgentCallCard({ call }: { call: AgentCall }) {
  const host = useHost();
  const { tool_id, status, progress, result, error, reason } = call;
  const question = tool_id.startsWith("interaction.");
  return (
    <article class="feed-item feed-call" data-status={status} data-call={call.call_id}>
      <p class="call-head">
        <code>{tool_id}</code>
        <CallStatus status={status} />
      </p>
      {progress !== null && !isFinal(status) && (
        <Progress percent={progress.percent} text={progress.message ?? progress.state} />
      )}
      {typeof result?.["artifact_id"] === "string" && <Artifact id={result["artifact_id"]} />}
      {result !== null && <pre class="json">{JSON.stringify(result, null, 2)}</pre>}
      {error !== null && (
        <p class="call-error">
          <code>{error.code}</code> {error.message}
        </p>
      )}
      {reason !== null && error === null && <p class="hint">{reason}</p>}
      <details>
        <summary>{t("call.input")}</summary>
        <pre class="json">{JSON.stringify(call.input, null, 2)}</pre>
      </details>
      {!isFinal(status) && (
        <button type="button" class="small" onClick={() => void host.attempt(() => host.agent.giveUp(call))}>
          {question ? t("agent.dismiss") : t("agent.cancel")}
        </button>
      )}
    </article>
  );
}

function Progress({ percent, text }: { percent: number | undefined; text: string | undefined }) {
  return (
    <p class="call-progress">
      {percent !== undefined && <progress max={100} value={percent} aria-label={t("call.progress")} />}
      <span>
        {percent !== undefined && `${Math.round(percent)} %`} {text}
      </span>
    </p>
  );
}
