import type { Instance } from "@lineup/host";
import { useEffect } from "preact/hooks";
import { count, t } from "../text/text.ts";
import { nameOf } from "./apps.ts";
import { Dialog } from "./dialog.tsx";
import { useHost } from "./host_context.ts";

/** Closing an app ends what it is doing; this says what that is. */
export function CloseDialog({ instance, onDone }: { instance: Instance; onDone: () => void }) {
  const host = useHost();
  const { instance_id, app_scope } = instance;
  useEffect(() => host.refreshSoon(), [host]);
  const { tool_calls, interactions } = host.workspace.value;
  const calls = tool_calls.filter((call) => call.instance_id === instance_id && call.status !== "submitted");
  const own = interactions.filter(
    ({ record }) => record.owner.instance_id === instance_id && record.owner.source !== "agent_tool",
  );
  const name = nameOf(app_scope);
  const close = () => {
    onDone();
    void host.fleet.close(instance_id);
  };
  return (
    <Dialog title={t("close.title", { name })} onCancel={onDone}>
      {calls.length + own.length === 0 ? (
        <p>{t("close.nothing")}</p>
      ) : (
        <>
          <p>{t("close.cancels")}</p>
          <ul class="losses">
            {calls.map(({ call_id, tool_id }) => (
              <li key={call_id}>
                {t("close.call")} <code>{tool_id}</code>
              </li>
            ))}
            {own.length > 0 && <li>{count("close.questions", own.length)}</li>}
          </ul>
        </>
      )}
      <p class="hint">{t("close.kept")}</p>
      <div class="question-acts">
        <button type="button" class="main danger" onClick={close}>
          {t("close.do")}
        </button>
        <button type="button" onClick={onDone}>
          {t("close.keep")}
        </button>
      </div>
    </Dialog>
  );
}
