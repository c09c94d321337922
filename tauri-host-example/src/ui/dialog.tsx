import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { restoreFocus } from "./focus.ts";

interface Props {
  title: string;
  class?: string;
  /** Escape, and whatever else the browser takes for it. */
  onCancel: () => void;
  children: preact.ComponentChildren;
}

/** A question of the Host itself, over everything else. The focus goes back to where it was, or to the page. */
export function Dialog({ title, class: extra = "", onCancel, children }: Props) {
  const id = useId();
  const place = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    place.current?.showModal();
    return () => restoreFocus(before);
  }, []);
  return (
    <dialog
      ref={place}
      class={`dialog ${extra}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault(); // it closes when the page's state says so
        onCancel();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
