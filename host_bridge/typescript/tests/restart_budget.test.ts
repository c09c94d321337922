import { expect, it } from "vitest";
import { RESTART_POLICY, RestartBudget } from "../src/restart_budget.js";

it("allows five restarts in 180 s, ever later", () => {
  const budget = new RestartBudget(RESTART_POLICY);
  const delays = [0, 1_000, 2_000, 3_000, 4_000, 5_000].map((now) => budget.spend(now));
  expect(delays).toEqual([100, 500, 1_000, 3_000, 10_000, null]);
});

it("allows another as soon as one has left the window", () => {
  const budget = new RestartBudget({ delaysMs: [1, 2], withinMs: 100 });
  expect([0, 60, 99, 100, 159, 160].map((now) => budget.spend(now))).toEqual([1, 2, null, 2, null, 2]);
});

it("begins the row again after a reset", () => {
  const budget = new RestartBudget({ delaysMs: [1], withinMs: 100 });
  expect([budget.spend(0), budget.spend(1)]).toEqual([1, null]);
  budget.reset();
  expect(budget.spend(2)).toBe(1);
});
