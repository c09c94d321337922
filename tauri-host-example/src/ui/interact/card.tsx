import { type TimelineEntry, textOf } from "../../model/timeline.ts";
import { t } from "../../text/text.ts";
import { clockTime } from "../../text/time.ts";
import { useHost } from "../host_context.ts";
import { Icon, type IconName } from "../icon.tsx";
import { Question } from "../questions/question.tsx";

const FORMS: readonly IconName[] = ["notice", "choice", "confirm", "input"];
const ENDED = [
  ...(["approved", "declined", "acknowledged", "filled"] as const),
  ...(["dismissed", "cancelled", "expired", "failed", "ended"] as const),
];
const GOOD: readonly string[] = ["approved", "chosen", "filled", "acknowledged"];

/** A question of the Agent in its place: open, or as it ended. */
export function Card({ entry: { id, at, text, entry } }: { entry: TimelineEntry }) {
  const host = useHost();
  const asked = textOf(entry["interaction_id"]) || id;
  const question = host.questions.agents.value.find((one) => one.id === asked);
  if (question !== undefined) {
    return (
      <div class="entry card open">
        <Question question={question} />
      </div>
    );
  }
  const outcome = textOf(entry["outcome"]);
  const form = FORMS.find((one) => one === entry["form"]) ?? "confirm";
  return (
    <article class="entry card ended" data-outcome={outcome}>
      <Icon name={form} class="question-icon" />
      <div class="ended-text">
        <p class="ended-title">
          {textOf(entry["title"])} <time dateTime={at}>{clockTime(at)}</time>
        </p>
        <p class="ended-prompt">{text}</p>
      </div>
      <p class={`outcome ${GOOD.includes(outcome) ? "good" : "flat"}`}>
        {outcome === "open" ? t("card.settling") : <Outcome entry={entry} />}
      </p>
    </article>
  );
}

/** An answer is echoed in the words of the question; how it ended otherwise, in the Host's. */
function Outcome({ entry }: { entry: TimelineEntry["entry"] }) {
  const outcome = textOf(entry["outcome"]);
  const known = entry["own_words"] === true ? ENDED.find((one) => one === outcome) : undefined;
  return <>{known === undefined ? textOf(entry["echo"]) || outcome : t(`card.${known}`)}</>;
}
