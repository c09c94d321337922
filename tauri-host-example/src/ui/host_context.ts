import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Host } from "../model/host.ts";

const HostContext = createContext<Host | null>(null);

export const HostProvider = HostContext.Provider;

/** The host behind the page. */
export function useHost(): Host {
  const host = useContext(HostContext);
  if (host === null) throw new Error("the page has no host");
  return host;
}
