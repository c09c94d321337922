// Copies the contract that rpc_schema generates into the sources: it is kept once, and every script begins with this.
import { copyFileSync, mkdirSync } from "node:fs";

const source = new URL("../../../rpc_schema/generated/lineup.ts", import.meta.url);
const target = new URL("../src/generated/lineup.ts", import.meta.url);

mkdirSync(new URL(".", target), { recursive: true });
copyFileSync(source, target);
