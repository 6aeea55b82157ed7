// The types of mcpb.mjs, for the build's configuration.
export function packBundle(parts: { serverDir: string; version: string; path: string }): void;
