import type { ChoiceAction, ChoiceRequest, Question } from "@lineup/host";
import { useId } from "preact/hooks";
import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";
import { Fault } from "./fault.tsx";

interface Props {
  question: Question;
  request: ChoiceRequest;
}

export function ChoiceForm({ question, request }: Props) {
  return request.mode === "button" ? (
    <Buttons question={question} request={request} />
  ) : (
    <List question={question} request={request} />
  );
}

function Buttons({ question, request }: Props) {
  const host = useHost();
  return (
    <div class="choice-buttons">
      {request.actions.map(({ id, label, description }) => (
        <button
          key={id}
          type="button"
          disabled={question.phase !== "open"}
          onClick={() => void host.questions.submit(question.id, { action_ids: [id] })}
        >
          <span>{label}</span>
          {description && <small>{description}</small>}
        </button>
      ))}
    </div>
  );
}

function List({ question, request }: Props) {
  const host = useHost();
  const name = useId();
  const submit = (event: Event) => {
    event.preventDefault();
    void host.questions.submit(question.id);
  };
  return (
    <form class="choice-list" onSubmit={submit} noValidate>
      <fieldset disabled={question.phase !== "open"}>
        <legend class="unseen">{request.prompt}</legend>
        {request.actions.map((action) => (
          <Option
            key={action.id}
            action={action}
            name={name}
            question={question}
            many={request.mode === "multi-choice"}
          />
        ))}
      </fieldset>
      <Fault text={question.faults.length > 0 ? t("question.choose-one") : null} />
      <div class="question-acts">
        <button type="submit" class="main" disabled={question.phase !== "open"}>
          {t("question.answer")}
        </button>
      </div>
    </form>
  );
}

interface OptionProps {
  action: ChoiceAction;
  name: string;
  question: Question;
  many: boolean;
}

/** Where the order of what was chosen is part of the answer, it is shown. */
function Option({ action: { id, label, description }, name, question, many }: OptionProps) {
  const host = useHost();
  const place = question.chosen.indexOf(id);
  return (
    <label class="option">
      <input
        type={many ? "checkbox" : "radio"}
        name={name}
        checked={place >= 0}
        onChange={() => host.questions.choose(question.id, id)}
      />
      <span class="option-text">
        {label}
        {description && <small>{description}</small>}
      </span>
      {many && place >= 0 && question.chosen.length > 1 && <span class="option-place">{place + 1}</span>}
    </label>
  );
}
