import { describe, expect, it } from "vitest";
import {
  type AgentCall,
  EMPTY_FEED,
  endingOf,
  type FeedItem,
  withCall,
  withChange,
  withItem,
} from "../src/model/agent_feed.ts";

const call = (call_id: string): AgentCall => ({
  call_id,
  tool_id: "task-dashboard.open",
  input: {},
  at: "2026-08-05T10:00:00.000Z",
  status: "sending",
  progress: null,
  result: null,
  error: null,
  reason: null,
});
const said = (id: string): FeedItem => ({ id, at: "", kind: "said", text: id, format: "plain" });

describe("the Agent's feed", () => {
  it("takes an item once", () => {
    const feed = withItem(withItem(EMPTY_FEED, said("one")), said("one"));
    expect(feed.items).toEqual([said("one")]);
  });

  it("follows a call to its ending, and not beyond", () => {
    let feed = withCall(EMPTY_FEED, call("c"));
    feed = withChange(feed, "c", { status: "running", progress: { percent: 10 } });
    feed = withChange(feed, "c", endingOf({ status: "completed", result: { done: true } }));
    feed = withChange(feed, "c", { status: "running" });
    expect(feed.calls["c"]).toEqual({
      ...call("c"),
      status: "completed",
      progress: { percent: 10 },
      result: { done: true },
    });
    expect(withChange(feed, "unknown", { status: "running" })).toBe(feed);
  });

  it("says a cancel's text before its stable word", () => {
    expect(endingOf({ status: "cancelled", reason: "app_cancelled", message: "not today" }).reason).toBe("not today");
    expect(endingOf({ status: "cancelled", reason: "app_closed" }).reason).toBe("app_closed");
  });

  it("drops the oldest items, and the ended calls that nobody shows any more", () => {
    let feed = withChange(withCall(EMPTY_FEED, call("ended")), "ended", { status: "completed" });
    feed = withCall(feed, call("open"));
    for (let n = 0; n < 300; n += 1) feed = withItem(feed, said(`m${n}`));
    expect(feed.items).toHaveLength(300);
    expect(feed.items[0]?.id).toBe("m0");
    expect(Object.keys(feed.calls)).toEqual(["open"]);
  });
});
