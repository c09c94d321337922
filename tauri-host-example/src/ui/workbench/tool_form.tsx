import type { AdvertisedTool, JsonObject } from "@lineup/host";
import { useId, useState } from "preact/hooks";
import { type Draft, exampleOf, openDraft, readDraft, type Schema } from "../../schema/schema.ts";
import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";
import { Icon } from "../icon.tsx";
import { SchemaFields } from "../schema/schema_fields.tsx";
import { AgentCallCard } from "./agent_call.tsx";

/** Pick a Tool of the inventory, fill its input in, call it. */
export function ToolForm() {
  const host = useHost();
  const id = useId();
  const tools = host.inventory.value.tools;
  const [chosen, setChosen] = useState("");
  const tool = tools.find((one) => one.id === chosen) ?? tools[0];
  if (tool === undefined) return <p class="hint">{t("tools.none")}</p>;
  return (
    <div class="tool-form">
      <div class="field">
        <label for={id}>{t("tools.pick")}</label>
        <select id={id} value={tool.id} onChange={(event) => setChosen(event.currentTarget.value)}>
          {tools.map((one) => (
            <option key={one.id} value={one.id}>
              {one.id}
            </option>
          ))}
        </select>
      </div>
      {tool.description && <p class="hint">{tool.description}</p>}
      <Input key={tool.id} tool={tool} />
      <LastCalls toolId={tool.id} />
    </div>
  );
}

function Input({ tool }: { tool: AdvertisedTool }) {
  const host = useHost();
  const schema = tool.input_schema as unknown as Schema;
  const [draft, setDraft] = useState<Draft>({});
  const [raw, setRaw] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const read = () => (readDraft(schema, draft) ?? {}) as JsonObject;
  const toForm = () => {
    const value = parse(raw ?? "");
    if (value !== null) setDraft(openDraft(schema, value));
    setRaw(null);
    setFault(null);
  };
  const call = (event: Event) => {
    event.preventDefault();
    const input = raw === null ? read() : parse(raw);
    setFault(input === null ? t("tools.no-object") : null);
    if (input !== null) void host.attempt(() => host.agent.invoke(tool.id, input));
  };
  const example = () => {
    const value = exampleOf(schema);
    setDraft(openDraft(schema, value));
    if (raw !== null) setRaw(JSON.stringify(value, null, 2));
  };
  return (
    <form class="tool-input" onSubmit={call} noValidate>
      <div class="tool-modes">
        <button type="button" class="small" aria-pressed={raw === null} onClick={toForm}>
          {t("tools.as-form")}
        </button>
        <button
          type="button"
          class="small"
          aria-pressed={raw !== null}
          onClick={() => setRaw(JSON.stringify(read(), null, 2))}
        >
          JSON
        </button>
        <button type="button" class="small quiet" onClick={example}>
          {t("tools.example")}
        </button>
      </div>
      {raw === null ? (
        <SchemaFields schema={schema} draft={draft} onChange={setDraft} />
      ) : (
        <textarea
          class="json-input"
          aria-label={t("tools.json")}
          rows={10}
          spellcheck={false}
          value={raw}
          onInput={(event) => setRaw(event.currentTarget.value)}
        />
      )}
      {fault !== null && (
        <p class="fault" role="alert">
          <Icon name="alert" />
          {fault}
        </p>
      )}
      <div class="question-acts">
        <button type="submit" class="main">
          {t("tools.call")}
        </button>
      </div>
    </form>
  );
}

/** What came of the newest calls of this Tool, where one looks after calling it. */
function LastCalls({ toolId }: { toolId: string }) {
  const host = useHost();
  const calls = Object.values(host.agent.feed.value.calls).filter(({ tool_id }) => tool_id === toolId);
  const newest = calls.slice(-3).reverse();
  if (newest.length === 0) return null;
  return (
    <section class="last-calls" aria-label={t("tools.last")}>
      <h3 class="over">{t("tools.last")}</h3>
      {newest.map((call) => (
        <AgentCallCard key={call.call_id} call={call} />
      ))}
    </section>
  );
}

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}
