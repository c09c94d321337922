import { signal } from "@preact/signals";
import { type Key, t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";
import { Icon, type IconName } from "../icon.tsx";
import { AgentConsole } from "./agent_console.tsx";
import { Inspector } from "./inspector.tsx";

type Pane = "agent" | "inspector";

const open = signal<Pane | null>(null);
const PANES: readonly { pane: Pane; icon: IconName; name: Key }[] = [
  { pane: "agent", icon: "agent", name: "workbench.agent" },
  { pane: "inspector", icon: "inspect", name: "workbench.inspector" },
];

/** The other side of the conversation, and what goes on beneath it; folded away until it is wanted. */
export function Workbench() {
  const host = useHost();
  const shown = open.value;
  const playing = host.scenes.playing.value !== null;
  return (
    <aside class="workbench" aria-label={t("workbench.label")} data-open={shown !== null}>
      <div class="rail">
        {PANES.map(({ pane, icon, name }) => (
          <button
            key={pane}
            type="button"
            class="rail-button"
            aria-expanded={shown === pane}
            aria-label={t(name)}
            title={t(name)}
            onClick={() => (open.value = shown === pane ? null : pane)}
          >
            <Icon name={icon} />
            {pane === "agent" && playing && <span class="live-dot" />}
          </button>
        ))}
      </div>
      {shown !== null && (
        <div class="drawer">
          <header class="pane-head">
            <h2>{t(shown === "agent" ? "workbench.agent" : "workbench.inspector")}</h2>
            <button
              type="button"
              class="quiet icon-only"
              aria-label={t("workbench.fold")}
              title={t("workbench.fold")}
              onClick={() => (open.value = null)}
            >
              <Icon name="close" />
            </button>
          </header>
          {shown === "agent" ? <AgentConsole /> : <Inspector />}
        </div>
      )}
    </aside>
  );
}
