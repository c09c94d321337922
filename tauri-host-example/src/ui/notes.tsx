import { t } from "../text/text.ts";
import { useHost } from "./host_context.ts";
import { Icon } from "./icon.tsx";

export function Notes() {
  const host = useHost();
  return (
    <div class="notes" role="status" aria-live="polite">
      {host.notes.shown.value.map(({ id, kind, text }) => (
        <p key={id} class={`note note-${kind}`}>
          <Icon name={kind === "error" ? "alert" : "check"} />
          <span>{text}</span>
          <button
            type="button"
            class="quiet icon-only"
            aria-label={t("notes.dismiss")}
            onClick={() => host.notes.dismiss(id)}
          >
            <Icon name="close" />
          </button>
        </p>
      ))}
    </div>
  );
}
