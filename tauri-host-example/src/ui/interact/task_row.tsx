import { type TimelineEntry, textOf } from "../../model/timeline.ts";
import { clockTime } from "../../text/time.ts";
import { iconOf, nameOf } from "../apps.ts";
import { CallStatus } from "../call_status.tsx";
import { Icon } from "../icon.tsx";

export function TaskRow({ entry: { at, entry } }: { entry: TimelineEntry }) {
  const [scope = "", name = ""] = splitTool(textOf(entry["tool_id"]));
  return (
    <article class="entry task" data-call={textOf(entry["call_id"])}>
      <Icon name={iconOf(scope)} />
      <span class="task-name">
        {nameOf(scope)} <span class="task-tool">{name}</span>
      </span>
      <CallStatus status={textOf(entry["status"])} />
      <time dateTime={at}>{clockTime(at)}</time>
    </article>
  );
}

function splitTool(toolId: string): [string, string] {
  const dot = toolId.indexOf(".");
  return dot < 0 ? [toolId, ""] : [toolId.slice(0, dot), toolId.slice(dot + 1)];
}
