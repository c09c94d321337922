import type { InputField } from "@lineup/host";
import { t } from "../../text/text.ts";

/** What is wrong with a field, in the user's language; `told` is what was found, in the Runtime's words. */
export function explainFault(field: InputField, text: string, told: string): string {
  if (text.trim() === "") return t("field.required");
  if (field.type === "number") return explainNumber(field, Number(text), told);
  const length = [...text].length;
  if (field.min_length !== undefined && length < field.min_length) return t("field.too-short", { n: field.min_length });
  if (field.max_length !== undefined && length > field.max_length) return t("field.too-long", { n: field.max_length });
  return told;
}

function explainNumber(field: InputField, value: number, told: string): string {
  if (!Number.isFinite(value)) return t("field.no-number");
  if (field.minimum !== undefined && value < field.minimum) return t("field.too-small", { n: field.minimum });
  if (field.maximum !== undefined && value > field.maximum) return t("field.too-large", { n: field.maximum });
  return told;
}
