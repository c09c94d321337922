import { useId } from "preact/hooks";

interface Props {
  label: string;
  hint?: string | undefined;
  checked: boolean;
  disabled?: boolean;
  onToggle: () => void;
  /** What stands before the label. */
  children?: preact.ComponentChildren;
}

/** A thing that is on or off. */
export function SwitchLine({ label, hint, checked, disabled = false, onToggle, children }: Props) {
  const id = useId();
  return (
    <div class="switch-line">
      {children}
      <span class="switch-text">
        <span id={id}>{label}</span>
        {hint !== undefined && <small>{hint}</small>}
      </span>
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={checked}
        aria-labelledby={id}
        disabled={disabled}
        onClick={onToggle}
      />
    </div>
  );
}
