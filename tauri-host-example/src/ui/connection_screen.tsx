import type { Loss } from "@lineup/host";
import { type Key, t } from "../text/text.ts";
import { useHost } from "./host_context.ts";
import { Icon } from "./icon.tsx";

/** What is said while there is no session; what was shown stays, but dimmed: it is known to be old. */
export function ConnectionScreen() {
  const host = useHost();
  const state = host.connection.value;
  const elsewhere = host.shell.elsewhere.value;
  if (elsewhere !== null) {
    return (
      <Banner title="elsewhere.title" text={t("elsewhere.text")}>
        <button type="button" class="main" onClick={() => void host.attempt(elsewhere.takeOver)}>
          {t("elsewhere.take-over")}
        </button>
      </Banner>
    );
  }
  const hadSession = host.workspace.value.phase !== "empty";
  if (state.phase === "failed") {
    const title = titleOf(state.loss, hadSession);
    return (
      <Banner title={title} text={state.loss.message} detail={state.loss.stderr}>
        <button type="button" class="main" onClick={() => host.supervisor.retry()}>
          <Icon name="refresh" />
          {t(title.startsWith("unstarted") ? "unstarted.again" : "lost.again")}
        </button>
      </Banner>
    );
  }
  if (state.phase === "waiting" || (state.phase === "starting" && state.restarts > 0)) {
    return hadSession ? (
      <Banner title="lost.again-soon" text={t("lost.kept")} busy />
    ) : (
      <Banner title="unstarted.again-soon" text={t("unstarted.not-yet")} busy />
    );
  }
  return null;
}

/** A window that never had a session has lost none; exit codes are those of the sidecar (PROTOCOL 9). */
function titleOf({ code, exitCode, answer, final = false }: Loss, hadSession: boolean): Key {
  if (code === 4401) return "lost.token";
  if (code === 4409) return "lost.taken-over";
  if (code === 4503) return "lost.given-up";
  if (code === 1001) return "lost.server";
  if (exitCode === 3) return "unstarted.store-in-use";
  if (exitCode === 4) return "unstarted.store-too-new";
  if (answer?.code === -32602 && answer.data.supported) return "unstarted.version";
  if (!hadSession) return code === undefined ? "unstarted.title" : "unstarted.no-server";
  return exitCode === undefined || final ? "lost.title" : "lost.given-up";
}

interface Props {
  title: Key;
  text: string;
  detail?: string | undefined;
  busy?: boolean;
  children?: preact.ComponentChildren;
}

function Banner({ title, text, detail, busy = false, children }: Props) {
  return (
    <div class="banner-place">
      <section class="banner" role="alert" data-busy={busy}>
        {busy ? <span class="spinner" aria-hidden="true" /> : <Icon name="alert" class="banner-icon" />}
        <div>
          <h2>{t(title)}</h2>
          <p>{text}</p>
          {detail && <pre>{detail}</pre>}
        </div>
        {children}
      </section>
    </div>
  );
}
