import { type TimelineEntry, textOf } from "../../model/timeline.ts";
import { sayRefusal } from "../../text/refusals.ts";
import { t } from "../../text/text.ts";
import { clockTime } from "../../text/time.ts";
import { Icon, type IconName } from "../icon.tsx";
import { MarkdownText } from "../markdown_text.tsx";

const STATES: Readonly<Record<string, IconName>> = { sending: "clock", sent: "check", failed: "alert" };

export function Message({ entry: { at, text, entry }, follows }: { entry: TimelineEntry; follows: boolean }) {
  const mine = entry["from"] === "user";
  return (
    <article class={`entry message ${mine ? "mine" : "theirs"}`} data-follows={follows}>
      {!follows && (
        <p class="by">
          <span>{mine ? t("message.you") : t("message.agent")}</span>
          <time dateTime={at}>{clockTime(at)}</time>
        </p>
      )}
      <div class="said">
        <MarkdownText text={text} format={textOf(entry["format"])} />
        {entry["cut"] === true && <p class="hint">{t("message.cut")}</p>}
      </div>
      {mine && (
        <State status={textOf(entry["status"])} reason={sayRefusal(textOf(entry["code"]), textOf(entry["reason"]))} />
      )}
    </article>
  );
}

function State({ status, reason }: { status: string; reason: string }) {
  const icon = STATES[status];
  if (icon === undefined) return null;
  return (
    <p class={`state state-${status}`}>
      <Icon name={icon} />
      {t(`message.${status as "sending" | "sent" | "failed"}`)}
      {reason && ` · ${reason}`}
    </p>
  );
}
