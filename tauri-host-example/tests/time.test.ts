import { expect, it } from "vitest";
import { language } from "../src/model/preferences.ts";
import { clockTime, dayOf, exactTime, isSameDay } from "../src/text/time.ts";

const MORNING = new Date(2026, 7, 5, 9, 4, 7).toISOString();
const NIGHT = new Date(2026, 7, 5, 23, 59, 59).toISOString();
const NEXT = new Date(2026, 7, 6, 0, 0, 0).toISOString();

it("says times in the user's language", () => {
  language.value = "en";
  expect([clockTime(MORNING), exactTime(MORNING), clockTime("whenever")]).toEqual(["09:04", "09:04:07", ""]);
  expect(dayOf(MORNING, new Date(NEXT))).toBe("Wednesday 5 August");
  language.value = "zh";
  expect(dayOf(MORNING, new Date(NEXT))).toBe("8月5日星期三");
  expect(dayOf(MORNING, new Date(NIGHT))).toBe("今天");
});

it("tells days apart as they are here", () => {
  expect([isSameDay(MORNING, NIGHT), isSameDay(NIGHT, NEXT)]).toEqual([true, false]);
});
