import { expect, it } from "vitest";
import { type Ending, endingOf, type InteractionStatus } from "../../src/index.js";

it.each<[InteractionStatus, string | null, Ending]>([
  ["submitted", null, "answered"],
  ["completed", null, "answered"],
  ["cancelled", "user_cancelled", "cancelled"],
  ["cancelled", "dismissed", "withdrawn"],
  ["cancelled", "app_cancelled", "withdrawn"],
  ["cancelled", "app_closed", "app_closed"],
  ["cancelled", "app_disabled", "app_closed"],
  ["expired", "no_answer", "expired"],
  ["expired", "never_presented", "expired"],
  ["failed", "app_crashed", "failed"],
  ["presented", null, "unseen"],
])("%s (%s) is shown as %s", (status, reason, ending) => {
  expect(endingOf(status, reason)).toBe(ending);
});
