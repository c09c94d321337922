import { useRef, useState } from "preact/hooks";
import { isComposing } from "../../keys.ts";
import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";
import { Icon } from "../icon.tsx";

/** The Agent says something in the conversation. */
export function SayForm() {
  const host = useHost();
  const field = useRef<HTMLTextAreaElement>(null);
  const [empty, setEmpty] = useState(true);
  const say = () => {
    const shown = field.current;
    const text = shown?.value ?? "";
    if (shown === null || text.trim() === "") return;
    shown.value = "";
    setEmpty(true);
    void host.attempt(() => host.agent.say(text));
  };
  return (
    <form
      class="composer slim"
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
    >
      <div class="composer-box">
        <textarea
          ref={field}
          rows={1}
          aria-label={t("agent.say-label")}
          placeholder={t("agent.say-placeholder")}
          onInput={() => setEmpty((field.current?.value ?? "").trim() === "")}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
            event.preventDefault();
            say();
          }}
        />
        <button
          type="submit"
          class="main icon-only"
          disabled={empty}
          aria-label={t("agent.say")}
          title={t("agent.say")}
        >
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}
