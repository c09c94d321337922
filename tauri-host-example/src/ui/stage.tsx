import type { Question as Asked, Instance } from "@lineup/host";
import { signal } from "@preact/signals";
import { count, t } from "../text/text.ts";
import { AppContainer } from "./app_container.tsx";
import { useHost } from "./host_context.ts";
import { Icon } from "./icon.tsx";
import { Interact } from "./interact/interact.tsx";
import { Question } from "./questions/question.tsx";

const NARROW = matchMedia("(max-width: 1240px)");
const narrow = signal(NARROW.matches);
NARROW.addEventListener("change", ({ matches }) => {
  narrow.value = matches;
});
const besideOpen = signal(false);

/** What is in front, and the conversation beside it. */
export function Stage() {
  const host = useHost();
  const front = host.fleet.front.value;
  const interact = host.fleet.interact.value;
  const beside = front !== null && front.app_scope !== "chat";
  const away = beside && narrow.value && !besideOpen.value;
  const apps = host.workspace.value.instances
    .filter(({ app_scope }) => app_scope !== "chat")
    .sort((one, other) => (one.instance_id < other.instance_id ? -1 : 1)); // a frame that moves would load anew
  return (
    <main class="stage" id="main" tabIndex={-1} data-beside={beside} data-away={away}>
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

function BesideButton() {
  const open = besideOpen.value;
  return (
    <button type="button" class="beside-button" aria-expanded={open} onClick={() => (besideOpen.value = !open)}>
      <Icon name={open ? "close" : "chat"} />
      {open ? t("beside.hide") : t("beside.show")}
    </button>
  );
}

/** A question of the Agent over the app in front, where the conversation is out of sight. It is not the app's. */
function Overlay({ questions, front }: { questions: readonly Asked[]; front: Instance }) {
  const waiting = questions.filter(({ item }) => item.placement.overlay_instance_id === front.instance_id);
  const newest = waiting.at(-1);
  if (newest === undefined) return null;
  return (
    <aside class="overlay" aria-label={t("overlay.label")} aria-live="polite">
      <Question key={newest.id} question={newest}>
        <p class="asker">
          <Icon name="chat" />
          {t("overlay.from")}
          {waiting.length > 1 && <span class="more">{count("overlay.more", waiting.length - 1)}</span>}
        </p>
      </Question>
    </aside>
  );
}
