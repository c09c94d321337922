/** Those who listen, in the order in which they came. One that comes or goes while they are told is not told amiss. */
export class Listeners<A> {
  readonly #entries = new Set<{ readonly listener: (argument: A) => void }>();

  /** The result ends it. */
  add(listener: (argument: A) => void): () => void {
    const entry = { listener };
    this.#entries.add(entry);
    return () => void this.#entries.delete(entry);
  }

  tell(argument: A): void {
    for (const entry of [...this.#entries]) {
      if (this.#entries.has(entry)) entry.listener(argument);
    }
  }
}

/** A value that is replaced, never changed, and that listeners may follow. Fits `useSyncExternalStore` and the like. */
export interface Observable<T> {
  readonly getSnapshot: () => T;
  /** Call `listener` after each change; the result ends it. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** The owner's end of an observable value. */
export class Cell<T> implements Observable<T> {
  #value: T;
  readonly #listeners = new Listeners<void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly getSnapshot = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.#listeners.tell();
  }
}
