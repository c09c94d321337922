import type { Instance } from "@lineup/host";
import { timelineOf } from "../../model/timeline.ts";
import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";
import { Composer } from "./composer.tsx";
import { Modes } from "./modes.tsx";
import { Refusal } from "./refusal.tsx";
import { Timeline } from "./timeline.tsx";

/** The conversation with the Agent: trusted DOM, fed by the state of a MiniApp. */
export function Interact({ instance }: { instance: Instance | null }) {
  const host = useHost();
  const timeline = timelineOf(host.workspace.value);
  const ready = timeline !== null && host.isLive.value;
  const emit = (event: string, payload: Record<string, string>) =>
    timeline === null
      ? Promise.reject(new Error(t("interact.not-ready")))
      : host.emit(timeline.surfaceId, event, payload);
  return (
    <section class="interact" aria-label={t("app.chat")} aria-busy={!ready}>
      <header class="pane-head">
        <h2>{t("app.chat")}</h2>
        <Modes disabled={!ready} onChoose={(mode) => void host.attempt(() => emit("set_mode", { mode }))} />
      </header>
      <Refusal refusal={timeline?.refusal ?? null} />
      <Timeline timeline={timeline} isStarting={instance === null || instance.state === "starting"} />
      <Composer onSend={(text) => emit("send_text", { text })} disabled={!ready} />
    </section>
  );
}
