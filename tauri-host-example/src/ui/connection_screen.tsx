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
  if (state.phase === "failed") {
    return (
      <Banner title={titleOf(state.loss)} text={state.loss.message} detail={state.loss.stderr}>
        <button type="button" class="main" onClick={() => host.supervisor.retry()}>
          <Icon name="refresh" />
          {t("lost.again")}
        </button>
      </Banner>
    );
  }
  if (state.phase === "waiting" || (state.phase === "starting" && state.restarts > 0)) {
    return <Banner title="lost.again-soon" text={t("lost.kept")} busy />;
  }
  return null;
}

function titleOf({ code }: Loss): Key {
  if (code === 4401) return "lost.token";
  if (code === 4409) return "lost.taken-over";
  if (code === 4503) return "lost.given-up";
  if (code === 1001) return "lost.server";
  return "lost.title";
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
