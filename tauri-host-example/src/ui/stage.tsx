import type { Question as Asked, Instance } from "@lineup/host";
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { count, t } from "../text/text.ts";
import { AppContainer } from "./app_container.tsx";
import { useHost } from "./host_context.ts";
import { Icon } from "./icon.tsx";
import { Interact } from "./interact/interact.tsx";
import { Question } from "./questions/question.tsx";

/** Below this there is no room for an app and the conversation beside each other. */
const ROOM_FOR_BOTH = 860;

const narrow = signal(false);
const besideOpen = signal(false);
/** The questions that the user put off; they wait in the conversation. */
const putOff = signal<ReadonlySet<string>>(new Set());

/** What is in front, and the conversation beside it. */
export function Stage() {
  const host = useHost();
  const place = useRef<HTMLElement>(null);
  useRoom(place);
  const front = host.fleet.front.value;
  const interact = host.fleet.interact.value;
  const beside = front !== null && front.app_scope !== "chat";
  const away = beside && narrow.value && !besideOpen.value;
  const apps = host.workspace.value.instances
    .filter(({ app_scope }) => app_scope !== "chat")
    .sort((one, other) => (one.instance_id < other.instance_id ? -1 : 1)); // a frame that moves would load anew
  return (
    <main
      class="stage"
      id="main"
      ref={place}
      tabIndex={-1}
      data-beside={beside}
      data-narrow={narrow.value}
      data-away={away}
    >
      <div class="apps" hidden={!beside}>
        {apps.map((instance) => (
          <AppContainer
            key={instance.instance_id}
            instance={instance}
            front={instance.instance_id === front?.instance_id}
          />
        ))}
      </div>
      <div class="interact-place" hidden={away}>
        <Interact instance={interact} />
      </div>
      {beside && narrow.value && <BesideButton />}
      {away && front !== null && <Overlay questions={host.questions.agents.value} front={front} />}
    </main>
  );
}

function useRoom(place: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    if (place.current === null) return undefined;
    const watch = new ResizeObserver(([entry]) => {
      if (entry !== undefined) narrow.value = entry.contentRect.width < ROOM_FOR_BOTH;
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [place]);
}

function BesideButton() {
  const host = useHost();
  const open = besideOpen.value;
  const waiting = host.questions.agents.value.length;
  return (
    <button type="button" class="beside-button" aria-expanded={open} onClick={() => (besideOpen.value = !open)}>
      <Icon name={open ? "close" : "chat"} />
      {open ? t("beside.hide") : t("beside.show")}
      {!open && waiting > 0 && (
        <span class="badge">
          {waiting}
          <span class="unseen"> {count("switcher.waiting", waiting)}</span>
        </span>
      )}
    </button>
  );
}

/** A question of the Agent over the app in front, where the conversation is out of sight. It is not the app's. */
function Overlay({ questions, front }: { questions: readonly Asked[]; front: Instance }) {
  const waiting = questions.filter(
    ({ id, item }) => item.placement.overlay_instance_id === front.instance_id && !putOff.value.has(id),
  );
  const newest = waiting.at(-1);
  if (newest === undefined) return null;
  return (
    <aside class="overlay" aria-label={t("overlay.label")} aria-live="polite">
      <Question key={newest.id} question={newest}>
        <p class="asker">
          <Icon name="chat" />
          {t("overlay.from")}
          <span class="more">{waiting.length > 1 && count("overlay.more", waiting.length - 1)}</span>
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              putOff.value = new Set([...putOff.value, ...waiting.map(({ id }) => id)]);
            }}
          >
            {t("overlay.later")}
          </button>
        </p>
      </Question>
    </aside>
  );
}
