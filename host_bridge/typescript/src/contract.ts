/** The contract, as `rpc_schema` generates it. `src/generated` is a copy that every script of the package makes anew. */
export * from "./generated/lineup.js";
