import type { RuntimeStatusResult } from "@lineup/host";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../text/text.ts";
import { exactTime } from "../../text/time.ts";
import { nameOf } from "../apps.ts";
import { ConnectionLine } from "../connection.tsx";
import { useHost } from "../host_context.ts";
import { Icon } from "../icon.tsx";
import { SwitchLine } from "../switch_line.tsx";

const READ_EVERY_MS = 2_000;

/** How the Runtime is, which apps it has, and the way to see it come back. */
export function RuntimePane() {
  const host = useHost();
  const session = host.session.value;
  return (
    <>
      <ConnectionLine />
      {session !== null && (
        <dl class="facts">
          <dt>{t("runtime.version")}</dt>
          <dd>
            {session.runtime.name} {session.runtime.version}
          </dd>
          <dt>{t("runtime.session")}</dt>
          <dd>
            <code>{session.session_id}</code>
          </dd>
          <dt>{t("runtime.inventory")}</dt>
          <dd>
            <code>{host.inventory.value.revision}</code>
          </dd>
        </dl>
      )}
      <Status />
      <Apps />
      <section class="crash">
        <h3 class="over">{t("crash.title")}</h3>
        <p class="hint">{t("crash.hint")}</p>
        <button
          type="button"
          class="danger"
          disabled={!host.isLive.value}
          onClick={() => void host.attempt(() => host.shell.crash())}
        >
          <Icon name="power" />
          {t("crash.do")}
        </button>
      </section>
      <Log />
    </>
  );
}

const COUNTS = [
  "live_workers",
  "instances",
  "tool_calls_open",
  "interactions_open",
  "outbox_pending",
  "inbox_pending",
] as const;

function Status() {
  const host = useHost();
  const live = host.isLive.value;
  const [status, setStatus] = useState<RuntimeStatusResult | null>(null);
  useEffect(() => {
    if (!live) return setStatus(null);
    const read = () => host.client.call("runtime.status").then(setStatus, () => setStatus(null));
    void read();
    const timer = setInterval(read, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [host, live]);
  if (status === null) return null;
  return (
    <dl class="facts">
      {COUNTS.map((name) => [<dt key={`${name}-name`}>{t(`runtime.${name}`)}</dt>, <dd key={name}>{status[name]}</dd>])}
      <dt>{t("runtime.memory")}</dt>
      <dd>{Math.round(status.rss_bytes / 1024 / 1024)} MiB</dd>
      <dt>{t("runtime.uptime")}</dt>
      <dd>{Math.round(status.uptime_ms / 1_000)} s</dd>
    </dl>
  );
}

function Apps() {
  const host = useHost();
  return (
    <section>
      <h3 class="over">{t("runtime.apps")}</h3>
      <ul class="rows">
        {host.miniapps.value.map(({ manifest: { app_scope, version, kind }, enabled }) => (
          <li key={app_scope}>
            <SwitchLine
              label={nameOf(app_scope)}
              hint={`${app_scope} · ${version}`}
              checked={enabled}
              disabled={kind === "system" || !host.isLive.value}
              onToggle={() => void host.fleet.setEnabled(app_scope, !enabled)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the page was told and could not use, and what went wrong. */
function Log() {
  const host = useHost();
  const log = host.notes.log.value;
  if (log.length === 0) return null;
  return (
    <details>
      <summary>{t("runtime.log")}</summary>
      <ul class="rows">
        {log.map(({ id, at, text }) => (
          <li key={id}>
            <time dateTime={at}>{exactTime(at)}</time> {text}
          </li>
        ))}
      </ul>
    </details>
  );
}
