import { expect, it } from "vitest";
import { countDown } from "../../src/index.js";

const AT = "2026-08-05T10:00:00.000Z";
const left = (ms: number) => countDown(AT, Date.parse(AT) - ms);

it.each([
  [900_000, "15:00", 1_000],
  [899_999, "15:00", 999],
  [899_000, "14:59", 1_000],
  [60_000, "1:00", 1_000],
  [59_001, "1:00", 1],
  [1, "0:01", 1],
  [3_600_000, "1:00:00", 1_000],
  [86_399_500, "24:00:00", 500],
])("shows %i ms as %s, which changes in %i ms", (ms, text, nextMs) => {
  expect(left(ms)).toEqual({ leftMs: ms, expired: false, text, nextMs });
});

it.each([0, -1, -1_000_000])("has expired %i ms before its end", (ms) => {
  expect(left(ms)).toEqual({ leftMs: 0, expired: true, text: "0:00", nextMs: null });
});

it("counts nothing down where there is no expiry", () => {
  expect(countDown(null, 0)).toBeNull();
});
