import { t } from "../text/text.ts";
import { useHost } from "./host_context.ts";
import { Icon } from "./icon.tsx";
import { SwitchLine } from "./switch_line.tsx";

/** The way to the Agent, which the user may close: nothing is lost meanwhile. */
export function OnlineSwitch() {
  const host = useHost();
  const online = host.outbox.online.value;
  return (
    <SwitchLine
      label={online ? t("online.on") : t("online.off")}
      hint={online ? undefined : t("online.off-hint")}
      checked={online}
      disabled={!host.isLive.value}
      onToggle={() => void host.outbox.setOnline(!online)}
    >
      <Icon name={online ? "online" : "offline"} />
    </SwitchLine>
  );
}

/** How the connection to the Runtime is, in one line. */
export function ConnectionLine() {
  const host = useHost();
  const { phase } = host.connection.value;
  const shown = phase === "ready" && !host.isLive.value ? "starting" : phase;
  return (
    <p class="connection-line" data-phase={shown} role="status">
      <span class="dot" />
      {t(`connection.${shown}`)}
    </p>
  );
}
