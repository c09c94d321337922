import { language } from "../model/preferences.ts";
import { t } from "./text.ts";

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const FORMS = {
  clock: CLOCK,
  exact: { ...CLOCK, second: "2-digit" },
  day: { weekday: "long", day: "numeric", month: "long" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** The time of day, for what happened today. */
export function clockTime(at: string): string {
  return format(at, "clock");
}

/** The time of day with its seconds. */
export function exactTime(at: string): string {
  return format(at, "exact");
}

/** Whether two times are of one day, here. */
export function isSameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** The day as one says it. */
export function dayOf(at: string, now = new Date()): string {
  if (new Date(at).toDateString() === now.toDateString()) return t("day.today");
  return format(at, "day");
}

/** Making a formatter costs a hundred times what using it does. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function format(at: string, form: keyof typeof FORMS): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const locale = language.value === "zh" ? "zh-CN" : "en-GB";
  const key = `${locale} ${form}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, FORMS[form]);
  formatters.set(key, formatter);
  return formatter.format(date);
}
