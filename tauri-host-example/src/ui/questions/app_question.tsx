import type { Question as Asked, Instance } from "@lineup/host";
import { useLayoutEffect, useRef } from "preact/hooks";
import { count, t } from "../../text/text.ts";
import { nameOf } from "../apps.ts";
import { restoreFocus } from "../focus.ts";
import { useHost } from "../host_context.ts";
import { AppMark } from "../sidebar.tsx";
import { Question } from "./question.tsx";

/** A MiniApp's own question in its own container, always under the app's name. */
export function AppQuestion({ question, instance, more }: { question: Asked; instance: Instance; more: number }) {
  const { mode } = question.item.placement;
  const asked = (
    <Question question={question}>
      <p class="asker">
        <AppMark scope={instance.app_scope} />
        {t("app.asks", { name: nameOf(instance.app_scope) })}
        {more > 0 && <span class="more">{count("overlay.more", more)}</span>}
      </p>
    </Question>
  );
  return (
    <div class={`app-question app-question-${mode}`} data-mode={mode}>
      {mode === "card" ? (
        <div class="app-question-box">{asked}</div>
      ) : (
        <Blocking question={question} name={nameOf(instance.app_scope)}>
          {asked}
        </Blocking>
      )}
    </div>
  );
}

/** Over the app's frames, which wait meanwhile; everything else of the page does not. */
function Blocking({ question, name, children }: { question: Asked; name: string; children: preact.ComponentChildren }) {
  const host = useHost();
  const place = useRef<HTMLDivElement>(null);
  useTakenFocus(place);
  return (
    <div
      class="app-question-box"
      ref={place}
      role="dialog"
      aria-label={t("app.asks", { name })}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.isComposing) return;
        event.stopPropagation();
        void host.questions.cancel(question.id);
      }}
    >
      {children}
    </div>
  );
}

/** Take the focus from the app that asks, never from someone who is writing elsewhere. */
function useTakenFocus(place: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const own = before === null || before === document.body || place.current?.closest(".app")?.contains(before);
    if (own) place.current?.focus();
    return () => restoreFocus(before);
  }, [place]);
}
