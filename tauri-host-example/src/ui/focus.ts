/** Give the focus back. What had it may be gone: then the page's main part takes it, never nobody. */
export function restoreFocus(before: Element | null): void {
  queueMicrotask(() => {
    if (!isNowhere()) return;
    if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
    if (isNowhere()) focusMain();
  });
}

/** Whenever what has the focus goes from the page, let its main part take it. */
export function keepFocus(): void {
  let last: Element | null = null;
  const look = () => {
    last = document.activeElement;
  };
  addEventListener("focusin", look);
  addEventListener("blur", look); // of the window: a frame has it now
  new MutationObserver(() => {
    if (last === null || last.isConnected) return;
    last = null;
    if (isNowhere()) focusMain();
  }).observe(document.body, { childList: true, subtree: true });
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function focusMain(): void {
  document.getElementById("main")?.focus();
}
