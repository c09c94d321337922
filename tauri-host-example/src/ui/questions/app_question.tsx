import type { Question as Asked, Instance } from "@lineup/host";
import { useLayoutEffect, useRef } from "preact/hooks";
import { count, t } from "../../text/text.ts";
import { nameOf } from "../apps.ts";
import { restoreFocus } from "../dialog.tsx";
import { useHost } from "../host_context.ts";
import { AppMark } from "../sidebar.tsx";
import { Question } from "./question.tsx";

/** A MiniApp's own question in its own container, always under the app's name. */
export function AppQuestion({ question, instance, more }: { question: Asked; instance: Instance; more: number }) {
  const host = useHost();
  const { mode } = question.item.placement;
  const place = useRef<HTMLDivElement>(null);
  useTakenFocus(place, mode !== "card");
  const name = nameOf(instance.app_scope);
  return (
    <div class={`app-question app-question-${mode}`} data-mode={mode}>
      <div
        class="app-question-box"
        ref={place}
        role={mode === "card" ? "group" : "dialog"}
        aria-label={t("app.asks", { name })}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.isComposing) return;
          event.stopPropagation();
          void host.questions.cancel(question.id);
        }}
      >
        <Question question={question}>
          <p class="asker">
            <AppMark scope={instance.app_scope} />
            {t("app.asks", { name })}
            {more > 0 && <span class="more">{count("overlay.more", more)}</span>}
          </p>
        </Question>
      </div>
    </div>
  );
}

/** Take the focus from the app that asks, never from someone who is writing elsewhere. */
function useTakenFocus(place: { readonly current: HTMLElement | null }, takes: boolean): void {
  useLayoutEffect(() => {
    if (!takes) return undefined;
    const before = document.activeElement;
    const own = before === null || before === document.body || place.current?.closest(".app")?.contains(before);
    if (own) place.current?.focus();
    return () => restoreFocus(before);
  }, [place, takes]);
}
