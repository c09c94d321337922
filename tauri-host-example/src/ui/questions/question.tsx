import type { Question as Asked } from "@lineup/host";
import { useEffect, useId } from "preact/hooks";
import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";
import { Icon } from "../icon.tsx";
import { ChoiceForm } from "./choice_form.tsx";
import { ConfirmForm } from "./confirm_form.tsx";
import { Expiry } from "./expiry.tsx";
import { InputForm } from "./input_form.tsx";
import { NoticeForm } from "./notice_form.tsx";

/** A standard question, ready to be answered. Being on the screen is what presents it. */
export function Question({ question, children }: { question: Asked; children?: preact.ComponentChildren }) {
  const host = useHost();
  const id = useId();
  const { record } = question.item;
  const { request } = record;
  usePresented(question);
  const dismiss = t("question.dismiss");
  return (
    <section
      class={`question question-${record.kind}`}
      aria-labelledby={`${id}-title`}
      data-question={question.id}
      data-phase={question.phase}
    >
      {children}
      <header class="question-head">
        <Icon name={record.kind} class="question-icon" />
        <h3 id={`${id}-title`}>{request.title}</h3>
        <button
          type="button"
          class="quiet icon-only"
          aria-label={dismiss}
          title={dismiss}
          onClick={() => void host.questions.cancel(question.id)}
        >
          <Icon name="close" />
        </button>
      </header>
      <p class="question-text">{request.kind === "notice" ? request.message : request.prompt}</p>
      <Body question={question} />
      <Rejected question={question} />
      <Expiry until={record.expires_at} />
    </section>
  );
}

function Body({ question }: { question: Asked }) {
  const { request } = question.item.record;
  if (request.kind === "notice") return <NoticeForm question={question} request={request} />;
  if (request.kind === "confirm") return <ConfirmForm question={question} request={request} />;
  if (request.kind === "choice") return <ChoiceForm question={question} request={request} />;
  return <InputForm question={question} request={request} />;
}

/** Why the answer did not come through, where no field is to blame. */
function Rejected({ question: { error, faults } }: { question: Asked }) {
  if (error === null || faults.length > 0) return null;
  return (
    <p class="fault" role="alert">
      <Icon name="alert" />
      {error}
    </p>
  );
}

/** A page that nobody can see shows nothing. */
function usePresented({ id, phase, item }: Asked): void {
  const host = useHost();
  const { status } = item.record;
  useEffect(() => {
    const present = () => {
      if (document.visibilityState === "visible") host.questions.present(id);
    };
    present();
    document.addEventListener("visibilitychange", present);
    return () => document.removeEventListener("visibilitychange", present);
  }, [host, id, phase, status, host.isLive.value]);
}
