import { useId, useState } from "preact/hooks";

export interface Tab {
  readonly id: string;
  readonly name: string;
  readonly count?: number;
  readonly content: () => preact.ComponentChildren;
}

/** Tabs as the keyboard knows them: one stop, arrows between them. */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  const base = useId();
  const [chosen, setChosen] = useState(tabs[0]?.id);
  const shown = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const place = tabs.findIndex(({ id }) => id === shown?.id);
    const next = tabs[(place + step + tabs.length) % tabs.length];
    setChosen(next?.id);
    document.getElementById(`${base}-${next?.id}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, name, count }) => (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === shown?.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === shown?.id ? 0 : -1}
            onClick={() => setChosen(id)}
          >
            {name}
            {count !== undefined && count > 0 && <span class="tab-count">{count}</span>}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${shown?.id}`}>
        {shown?.content()}
      </div>
    </>
  );
}
