import { useId } from "preact/hooks";
import { type Draft, openDraft, type Schema } from "../../schema/schema.ts";
import { t } from "../../text/text.ts";
import { Icon } from "../icon.tsx";

interface Props {
  name: string;
  schema: Schema;
  draft: Draft | undefined;
  required: boolean;
  onChange: (draft: Draft) => void;
}

const LONG = 300;

/** The fields that a schema asks for, as deep as it goes. */
export function SchemaFields({ schema, draft, onChange }: Pick<Props, "schema" | "draft" | "onChange">) {
  const known = typeof draft === "object" && !Array.isArray(draft) ? (draft as Readonly<Record<string, Draft>>) : {};
  return (
    <>
      {Object.entries(schema.properties ?? {}).map(([name, part]) => (
        <SchemaField
          key={name}
          name={name}
          schema={part}
          draft={known[name]}
          required={schema.required?.includes(name) ?? false}
          onChange={(change) => onChange({ ...known, [name]: change })}
        />
      ))}
    </>
  );
}

function SchemaField(props: Props) {
  if (props.schema.type === "object") return <Group {...props} />;
  if (props.schema.type === "array") return <List {...props} />;
  return <Scalar {...props} />;
}

function Group({ name, schema, draft, required, onChange }: Props) {
  return (
    <fieldset class="field group">
      <legend>
        <Name name={name} required={required} />
      </legend>
      <SchemaFields schema={schema} draft={draft} onChange={onChange} />
    </fieldset>
  );
}

function List({ name, schema, draft, required, onChange }: Props) {
  const { items } = schema;
  const parts = Array.isArray(draft) ? (draft as readonly Draft[]) : [];
  if (items === undefined) return null;
  const put = (place: number, change: Draft) => onChange(parts.map((part, at) => (at === place ? change : part)));
  return (
    <fieldset class="field group">
      <legend>
        <Name name={name} required={required} />
      </legend>
      {parts.map((part, place) => (
        <div class="list-part" key={place}>
          <div class="list-fields">
            {items.type === "object" ? (
              <SchemaFields schema={items} draft={part} onChange={(change) => put(place, change)} />
            ) : (
              <SchemaField
                name={String(place + 1)}
                schema={items}
                draft={part}
                required
                onChange={(change) => put(place, change)}
              />
            )}
          </div>
          <button
            type="button"
            class="quiet icon-only"
            aria-label={t("schema.remove", { name: `${name} ${place + 1}` })}
            title={t("schema.remove", { name: `${name} ${place + 1}` })}
            onClick={() => onChange(parts.filter((_, at) => at !== place))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="small"
        disabled={parts.length >= (schema.maxItems ?? 1_000)}
        onClick={() => onChange([...parts, openDraft(items, undefined)])}
      >
        <Icon name="plus" />
        {t("schema.add", { name })}
      </button>
    </fieldset>
  );
}

function Scalar({ name, schema, draft, required, onChange }: Props) {
  const id = useId();
  const value = typeof draft === "string" ? draft : "";
  const hint = schema.description;
  const common = {
    id,
    name,
    "aria-describedby": hint === undefined ? undefined : `${id}-hint`,
    onInput: (event: Event) => onChange((event.currentTarget as HTMLInputElement).value),
  };
  const choices = schema.enum?.map(String) ?? (schema.type === "boolean" ? ["true", "false"] : null);
  return (
    <div class="field">
      <label for={id}>
        <Name name={name} required={required} />
      </label>
      {choices !== null ? (
        <select {...common} value={value}>
          <option value="">{t("schema.none")}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : schema.type === "string" && (schema.maxLength ?? 0) > LONG ? (
        <textarea {...common} rows={2} value={value} />
      ) : (
        <input
          {...common}
          type="text"
          inputMode={schema.type === "number" ? "decimal" : "text"}
          autocomplete="off"
          value={value}
        />
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function Name({ name, required }: { name: string; required: boolean }) {
  return (
    <>
      <code>{name}</code>
      {!required && <span class="optional"> {t("field.optional")}</span>}
    </>
  );
}
