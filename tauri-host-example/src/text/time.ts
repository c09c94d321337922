import { language } from "../model/preferences.ts";
import { t } from "./text.ts";

/** The time of day, for what happened today. */
export function clockTime(at: string): string {
  return format(at, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** The time of day with its seconds. */
export function exactTime(at: string): string {
  return format(at, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}

/** The day as one says it. */
export function dayOf(at: string, now = new Date()): string {
  const date = new Date(at);
  if (date.toDateString() === now.toDateString()) return t("day.today");
  return format(at, { weekday: "long", day: "numeric", month: "long" });
}

function format(at: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  return new Intl.DateTimeFormat(language.value === "zh" ? "zh-CN" : "en-GB", options).format(date);
}
