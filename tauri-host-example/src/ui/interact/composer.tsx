import { useEffect, useRef, useState } from "preact/hooks";
import { isComposing } from "../../keys.ts";
import { sayError } from "../../text/refusals.ts";
import { t } from "../../text/text.ts";
import { Icon } from "../icon.tsx";

const DRAFT = "lineup.draft";
const MAX_TEXT = 32_000;

/** Where the user writes. A text that could not be handed over is put back, before what was typed since. */
export function Composer({ onSend, disabled }: { onSend: (text: string) => Promise<unknown>; disabled: boolean }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [empty, setEmpty] = useState(true);
  const [fault, setFault] = useState<string | null>(null);

  const changed = () => {
    const text = field.current?.value ?? "";
    setEmpty(text.trim() === "");
    keepDraft(text);
  };
  const put = (text: string) => {
    if (field.current === null) return;
    field.current.value = text;
    changed();
  };
  useEffect(() => put(sessionStorage.getItem(DRAFT) ?? ""), []);

  const send = async () => {
    const text = field.current?.value ?? "";
    if (text.trim() === "" || disabled) return;
    if ([...text].length > MAX_TEXT) return setFault(t("composer.too-long", { n: MAX_TEXT }));
    setFault(null);
    put("");
    field.current?.focus();
    try {
      await onSend(text);
    } catch (error) {
      const since = field.current?.value ?? "";
      put(since === "" ? text : `${text}\n${since}`);
      setFault(t("composer.failed", { reason: sayError(error) }));
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="composer-box">
        <textarea
          ref={field}
          rows={1}
          aria-label={t("composer.label")}
          placeholder={t("composer.placeholder")}
          aria-describedby="composer-hint"
          onInput={changed}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
            if (isComposing(event)) return;
            event.preventDefault();
            void send();
          }}
        />
        <button
          type="submit"
          class="main icon-only"
          disabled={disabled || empty}
          aria-label={t("composer.send")}
          title={t("composer.send")}
        >
          <Icon name="send" />
        </button>
      </div>
      <p class="hint" id="composer-hint">
        {t("composer.hint")}
      </p>
      {fault !== null && (
        <p class="fault" role="alert">
          <Icon name="alert" />
          {fault}
        </p>
      )}
    </form>
  );
}

function keepDraft(text: string): void {
  if (text === "") sessionStorage.removeItem(DRAFT);
  else sessionStorage.setItem(DRAFT, text);
}
