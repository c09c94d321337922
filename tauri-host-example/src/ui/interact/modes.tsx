import { t } from "../../text/text.ts";
import { Icon, type IconName } from "../icon.tsx";

const MODES = ["im", "audio", "video"] as const;
const ICONS: Record<(typeof MODES)[number], IconName> = { im: "chat", audio: "audio", video: "video" };

/** The entries to the three modes. Which can be entered is Interact's to say. */
export function Modes({ onChoose, disabled }: { onChoose: (mode: string) => void; disabled: boolean }) {
  return (
    <fieldset class="modes">
      <legend class="unseen">{t("interact.modes")}</legend>
      {MODES.map((mode) => (
        <button
          key={mode}
          type="button"
          class="quiet"
          disabled={disabled}
          aria-pressed={mode === "im"}
          aria-label={t(`mode.${mode}`)}
          title={t(`mode.${mode}`)}
          onClick={() => onChoose(mode)}
        >
          <Icon name={ICONS[mode]} />
        </button>
      ))}
    </fieldset>
  );
}
