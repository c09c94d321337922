import { expect, it } from "vitest";
import { RateLimit } from "../../src/surface/rate_limit.js";

it("lets a burst through, then as many as the time brings", () => {
  const limit = new RateLimit(3, 10, 0);
  expect([0, 0, 0, 0].map((now) => limit.take(now))).toEqual([true, true, true, false]);
  expect([99, 100, 100, 300, 300, 300].map((now) => limit.take(now))).toEqual([false, true, false, true, true, false]);
});

it("saves up no more than the burst", () => {
  const limit = new RateLimit(2, 1_000, 0);
  expect([60_000, 60_000, 60_000].map((now) => limit.take(now))).toEqual([true, true, false]);
});
