import type { AdvertisedTool, JsonObject } from "@lineup/host";

const text = (maxLength: number) => ({ type: "string", minLength: 1, maxLength });
const object = (required: string[], properties: JsonObject) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const TITLE = text(200);
const TEXT = text(4_000);
const EXPIRES = { type: "number", minimum: 60_000, maximum: 86_400_000 };
const LENGTH = { type: "number", minimum: 0, maximum: 32_000 };

const ACTION = object(["id", "label"], { id: text(128), label: TITLE, description: TEXT });
const FIELD = object(["id", "label", "type"], {
  id: text(128),
  label: TITLE,
  type: { type: "string", enum: ["text", "textarea", "number"] },
  required: { type: "boolean" },
  placeholder: { type: "string", maxLength: 200 },
  min_length: LENGTH,
  max_length: LENGTH,
  minimum: { type: "number" },
  maximum: { type: "number" },
});

const INPUTS: Readonly<Record<string, JsonObject>> = {
  notice: object(["title", "message"], { title: TITLE, message: TEXT, acknowledge_label: TITLE }),
  choice: object(["title", "prompt", "mode", "actions"], {
    title: TITLE,
    prompt: TEXT,
    mode: { type: "string", enum: ["single-choice", "multi-choice", "button"] },
    actions: { type: "array", maxItems: 50, items: ACTION },
    expires_in_ms: EXPIRES,
  }),
  confirm: object(["title", "prompt"], {
    title: TITLE,
    prompt: TEXT,
    approve_label: TITLE,
    cancel_label: TITLE,
    expires_in_ms: EXPIRES,
  }),
  input: object(["title", "prompt", "fields"], {
    title: TITLE,
    prompt: TEXT,
    fields: { type: "array", maxItems: 20, items: FIELD },
    submit_label: TITLE,
    cancel_label: TITLE,
    expires_in_ms: EXPIRES,
  }),
};

/** The Runtime's own Tools, for a page that was not told of them; PROTOCOL 4.1 has their input. */
export const INTERACTIVE_TOOLS: readonly AdvertisedTool[] = Object.entries(INPUTS).map(([kind, input_schema]) => ({
  id: `interaction.${kind}`,
  version: 1,
  handling: "interactive",
  target: null,
  input_schema,
  output_schema: { type: "object" },
  permissions: [],
  timeout_ms: null,
}));
