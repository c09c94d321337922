import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Timeline as Read, TimelineEntry } from "../../model/timeline.ts";
import { textOf } from "../../model/timeline.ts";
import { t } from "../../text/text.ts";
import { dayOf, isSameDay } from "../../text/time.ts";
import { useHost } from "../host_context.ts";
import { Icon } from "../icon.tsx";
import { Entry } from "./entry.tsx";

const NEAR = 80;

/** Everything that was said and asked, the newest at the end; it follows as long as the user is there. */
export function Timeline({ timeline, isStarting }: { timeline: Read | null; isStarting: boolean }) {
  const entries = useEntries(timeline);
  const { place, content, atEnd, toEnd, onScroll } = useFollowing();
  return (
    <div class="timeline-place">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div class="timeline" ref={place} onScroll={onScroll} role="log" aria-label={t("interact.timeline")} tabIndex={0}>
        <div class="entries" ref={content}>
          {entries.length === 0 && <Nothing isStarting={isStarting && timeline === null} />}
          {entries.map((entry, index) => (
            <Entry
              key={entry.id}
              entry={entry}
              day={newDay(entries[index - 1], entry)}
              follows={continues(entries[index - 1], entry)}
            />
          ))}
        </div>
      </div>
      {!atEnd && (
        <button type="button" class="to-end" onClick={toEnd}>
          <Icon name="down" />
          {t("interact.to-end")}
        </button>
      )}
    </div>
  );
}

function Nothing({ isStarting }: { isStarting: boolean }) {
  return (
    <div class="nothing">
      <Icon name="chat" class="nothing-icon" />
      <p>{isStarting ? t("interact.starting") : t("interact.empty")}</p>
    </div>
  );
}

/** The timeline's entries, and a question that has come before its place in the timeline has. */
function useEntries(timeline: Read | null): readonly TimelineEntry[] {
  const host = useHost();
  if (timeline === null) return [];
  const placed = new Set(timeline.entries.map(({ entry }) => textOf(entry["interaction_id"])));
  const early = host.questions.agents.value.filter(({ id }) => !placed.has(id));
  return [
    ...timeline.entries,
    ...early.map(({ item: { record } }) => ({
      id: record.interaction_id,
      at: record.created_at,
      kind: "interaction",
      text: record.request.title,
      entry: { interaction_id: record.interaction_id, form: record.kind, title: record.request.title, outcome: "open" },
    })),
  ];
}

/** Keeps the end in sight, until the reader goes back; also where something grows after it was drawn. */
function useFollowing() {
  const place = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const last = useRef({ top: 0, room: 0 });
  const [atEnd, setAtEnd] = useState(true);
  const look = (shown: HTMLElement) => {
    last.current = { top: shown.scrollTop, room: shown.scrollHeight - shown.clientHeight };
    setAtEnd(following.current);
  };
  const toEnd = () => {
    const shown = place.current;
    if (shown === null) return;
    following.current = true;
    shown.scrollTop = shown.scrollHeight;
    look(shown);
  };
  const onScroll = () => {
    const shown = place.current;
    if (shown === null) return;
    const room = shown.scrollHeight - shown.clientHeight;
    const { top, room: before } = last.current;
    // What grows or shrinks scrolls too, and is not the reader's doing.
    if (room - shown.scrollTop < NEAR) following.current = true;
    else if (room === before && shown.scrollTop < top) following.current = false;
    look(shown);
  };
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => {
      if (following.current) toEnd();
    });
    for (const { current } of [place, content]) if (current !== null) watch.observe(current);
    return () => watch.disconnect();
  }, []);
  return { place, content, atEnd, toEnd, onScroll };
}

function newDay(before: TimelineEntry | undefined, entry: TimelineEntry): string | null {
  return before !== undefined && isSameDay(before.at, entry.at) ? null : dayOf(entry.at);
}

/** Whether an entry goes on with what the same one said just before. */
function continues(before: TimelineEntry | undefined, entry: TimelineEntry): boolean {
  if (before?.kind !== "message" || entry.kind !== "message") return false;
  return before.entry["from"] === entry.entry["from"] && Date.parse(entry.at) - Date.parse(before.at) < 300_000;
}
