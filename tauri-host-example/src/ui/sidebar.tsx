import type { Instance } from "@lineup/host";
import { useState } from "preact/hooks";
import { count, t } from "../text/text.ts";
import { iconOf, nameOf, toneOf } from "./apps.ts";
import { CloseDialog } from "./close_dialog.tsx";
import { ConnectionLine, OnlineSwitch } from "./connection.tsx";
import { useHost } from "./host_context.ts";
import { Icon } from "./icon.tsx";
import { LanguageChoice, ThemeChoice } from "./preferences.tsx";

/** Which apps live, in the order of the focus stack, and what the Host itself has to say. */
export function Sidebar() {
  const host = useHost();
  const { live } = host.fleet;
  const [closing, setClosing] = useState<Instance | null>(null);
  return (
    <header class="sidebar">
      <div class="brand">
        <BrandMark />
        <h1>LineUp</h1>
      </div>
      <nav class="switcher" aria-label={t("switcher.label")}>
        <h2 class="over">{t("switcher.open")}</h2>
        <ul>
          {live.value.map((instance) => (
            <AppItem key={instance.instance_id} instance={instance} onClose={() => setClosing(instance)} />
          ))}
        </ul>
        <Others />
      </nav>
      <div class="sidebar-foot">
        <OnlineSwitch />
        <ConnectionLine />
        <div class="choices">
          <ThemeChoice />
          <LanguageChoice />
        </div>
      </div>
      {closing !== null && <CloseDialog instance={closing} onDone={() => setClosing(null)} />}
    </header>
  );
}

function BrandMark() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M9 10h14M9 16h9M9 22h12" />
    </svg>
  );
}

function AppItem({ instance, onClose }: { instance: Instance; onClose: () => void }) {
  const host = useHost();
  const { instance_id, app_scope, state } = instance;
  const front = host.fleet.front.value?.instance_id === instance_id;
  const interact = app_scope === "chat";
  const waiting = host.questions.countFor(instance_id, interact);
  const failed = host.workspace.value.failures.some((one) => one.instance_id === instance_id);
  const off = host.miniapps.value.some(({ manifest, enabled }) => manifest.app_scope === app_scope && !enabled);
  const shown = off ? "disabled" : failed ? "failed" : state;
  const name = nameOf(app_scope);
  const alone = host.fleet.live.value.length < 2;
  return (
    <li class="app-item" data-front={front} data-app={app_scope}>
      <button
        type="button"
        class="app-open"
        aria-current={front ? "true" : undefined}
        onClick={() => void host.fleet.toFront(instance_id)}
      >
        <AppMark scope={app_scope} />
        <span class="app-text">
          <span class="app-name">{name}</span>
          <span class="app-state">{t(`state.${shown}`)}</span>
        </span>
        {waiting > 0 && (
          <span class="badge" title={count("switcher.waiting", waiting)}>
            {waiting}
            <span class="unseen"> {count("switcher.waiting", waiting)}</span>
          </span>
        )}
      </button>
      <span class="app-acts">
        {front && !alone && (
          <IconButton
            label={t("switcher.to-back", { name })}
            icon="back"
            onClick={() => void host.fleet.toBack(instance_id)}
          />
        )}
        {!interact && <IconButton label={t("switcher.close", { name })} icon="close" onClick={onClose} />}
      </span>
    </li>
  );
}

export function AppMark({ scope }: { scope: string }) {
  return (
    <span class={`app-mark ${toneOf(scope)}`}>
      <Icon name={iconOf(scope)} />
    </span>
  );
}

function IconButton({ label, icon, onClick }: { label: string; icon: "back" | "close"; onClick: () => void }) {
  return (
    <button type="button" class="quiet icon-only" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

/** Apps that do not live now: one click makes an instance. */
function Others() {
  const host = useHost();
  const live = new Set(host.fleet.live.value.map(({ app_scope }) => app_scope));
  const others = host.miniapps.value.filter(({ manifest }) => !live.has(manifest.app_scope));
  if (others.length === 0) return null;
  return (
    <>
      <h2 class="over">{t("switcher.others")}</h2>
      <ul>
        {others.map(({ manifest: { app_scope }, enabled, unavailable }) => (
          <li key={app_scope} class="app-item" data-app={app_scope}>
            <button
              type="button"
              class="app-open"
              disabled={!enabled || unavailable !== null}
              title={unavailable ?? undefined}
              onClick={() => void host.fleet.open(app_scope)}
            >
              <AppMark scope={app_scope} />
              <span class="app-text">
                <span class="app-name">{nameOf(app_scope)}</span>
                <span class="app-state">{unavailable ?? (enabled ? t("state.closed") : t("state.disabled"))}</span>
              </span>
              {enabled && unavailable === null && <Icon name="plus" class="app-plus" />}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
