import type { Observable } from "@lineup/host";
import { type ReadonlySignal, signal } from "@preact/signals";

/** An observable value as a signal, for as long as the page lives. */
export function observed<T>(source: Observable<T>): ReadonlySignal<T> {
  const value = signal(source.getSnapshot());
  source.subscribe(() => {
    value.value = source.getSnapshot();
  });
  return value;
}
