import { useLayoutEffect, useRef } from "preact/hooks";
import type { FeedItem } from "../../model/agent_feed.ts";
import { count, t } from "../../text/text.ts";
import { exactTime } from "../../text/time.ts";
import { nameOf } from "../apps.ts";
import { useHost } from "../host_context.ts";
import { AgentCallCard } from "./agent_call.tsx";

/** What passed between the Agent and the Runtime, the newest at the end. */
export function AgentFeed() {
  const host = useHost();
  const place = useRef<HTMLDivElement>(null);
  const { items } = host.agent.feed.value;
  useLayoutEffect(() => {
    const shown = place.current;
    if (shown !== null) shown.scrollTop = shown.scrollHeight;
  }, [items]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div class="feed" ref={place} role="log" aria-label={t("agent.feed")} tabIndex={0}>
      {items.length === 0 && <p class="hint">{t("agent.feed-empty")}</p>}
      {items.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </div>
  );
}

function Item({ item }: { item: FeedItem }) {
  const host = useHost();
  if (item.kind === "call") {
    const call = host.agent.feed.value.calls[item.call_id];
    return call === undefined ? null : <AgentCallCard call={call} />;
  }
  if (item.kind === "said" || item.kind === "heard") {
    return (
      <article class={`feed-item feed-${item.kind}`}>
        <p class="by">
          <span>{item.kind === "said" ? t("agent.said") : t("agent.heard")}</span>
          <time dateTime={item.at}>{exactTime(item.at)}</time>
        </p>
        <p class="feed-text">{item.text}</p>
      </article>
    );
  }
  return <EventLine item={item} />;
}

function EventLine({ item }: { item: Line }) {
  return (
    <p class={`feed-item feed-line feed-${item.kind}`}>
      <span>{lineOf(item)}</span>
      <time dateTime={item.at}>{exactTime(item.at)}</time>
    </p>
  );
}

type Line = Extract<FeedItem, { kind: "inventory" | "receipt" | "refused" | "session" }>;

function lineOf(item: Line): string {
  if (item.kind === "inventory") return `${count("agent.inventory", item.tools)} · ${item.revision}`;
  if (item.kind === "receipt") return t("agent.receipt", { outcome: item.outcome });
  if (item.kind === "refused") return t("agent.refused", { code: item.code, message: item.message });
  const name = nameOf(item.app_scope);
  return item.open
    ? t("agent.session-opened", { name })
    : t("agent.session-closed", { name, reason: item.reason ?? "" });
}
