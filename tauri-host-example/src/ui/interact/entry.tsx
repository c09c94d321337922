import { Component } from "preact";
import type { TimelineEntry } from "../../model/timeline.ts";
import { Card } from "./card.tsx";
import { Message } from "./message.tsx";
import { TaskRow } from "./task_row.tsx";

interface Props {
  entry: TimelineEntry;
  /** The day to name above it, where a new one begins. */
  day: string | null;
  follows: boolean;
}

/** One entry of the timeline; drawn again only when it changed. */
export class Entry extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const { entry, day, follows } = this.props;
    return next.entry.entry !== entry.entry || next.day !== day || next.follows !== follows;
  }

  override render({ entry, day, follows }: Props) {
    return (
      <>
        {day !== null && <p class="day">{day}</p>}
        <Shown entry={entry} follows={follows} />
      </>
    );
  }
}

/** A kind that nobody here knows is shown as its text. */
function Shown({ entry, follows }: { entry: TimelineEntry; follows: boolean }) {
  if (entry.kind === "message") return <Message entry={entry} follows={follows} />;
  if (entry.kind === "interaction") return <Card entry={entry} />;
  if (entry.kind === "task") return <TaskRow entry={entry} />;
  return <p class="entry unknown">{entry.text}</p>;
}
