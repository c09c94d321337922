import { faultsOf, type InputField, type InputRequest, type Question } from "@lineup/host";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { isComposing } from "../../keys.ts";
import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";
import { Fault } from "./fault.tsx";
import { explainFault } from "./field_fault.ts";

/** A form of texts and numbers. What was typed is kept by the Runtime until the question ends. */
export function InputForm({ question, request }: { question: Question; request: InputRequest }) {
  const host = useHost();
  const place = useRef<HTMLFormElement>(null);
  const busy = question.phase !== "open";
  const submitted = useRef(false);
  const submit = (event: Event) => {
    event.preventDefault();
    submitted.current = true;
    void host.questions.submit(question.id);
  };
  useEffect(() => {
    if (!submitted.current || question.faults.length === 0) return;
    submitted.current = false; // once for each try: whoever mends another field first may do so
    place.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [question.faults]);
  return (
    <form class="fields" ref={place} onSubmit={submit} noValidate>
      {request.fields.map((field) => (
        <Field key={field.id} field={field} question={question} />
      ))}
      <div class="question-acts">
        <button type="submit" class="main" disabled={busy}>
          {request.submit_label ?? t("question.submit")}
        </button>
        <button type="button" disabled={busy} onClick={() => void host.questions.cancel(question.id)}>
          {request.cancel_label ?? t("question.cancel")}
        </button>
      </div>
    </form>
  );
}

/** The element keeps what is typed: a value that is put back while an input method composes would break it. */
function Field({ field, question }: { field: InputField; question: Question }) {
  const host = useHost();
  const id = useId();
  const [first] = useState(question.form[field.id] ?? "");
  const [fault] = faultsOf(question, field.id);
  const common = {
    id,
    "data-field": field.id,
    placeholder: field.placeholder,
    "aria-required": field.required ?? false,
    "aria-invalid": fault !== undefined,
    "aria-describedby": fault === undefined ? undefined : `${id}-fault`,
    defaultValue: first,
    onInput: (event: Event) =>
      host.questions.edit(question.id, field.id, (event.currentTarget as HTMLInputElement | HTMLTextAreaElement).value),
  };
  return (
    <div class="field">
      <label for={id}>
        {field.label}
        {!field.required && <span class="optional"> {t("field.optional")}</span>}
      </label>
      {field.type === "textarea" ? (
        <textarea {...common} rows={3} />
      ) : (
        <input
          {...common}
          type="text"
          inputMode={field.type === "number" ? "decimal" : "text"}
          autocomplete="off"
          onKeyDown={(event) => {
            if (event.key === "Enter" && isComposing(event)) event.preventDefault();
          }}
        />
      )}
      <Fault
        text={fault === undefined ? null : explainFault(field, question.form[field.id] ?? "", fault.message)}
        id={`${id}-fault`}
      />
    </div>
  );
}
