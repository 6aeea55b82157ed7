// The types of compress-files.mjs, for the build's configuration.
export function compressFiles(folder: string): void;
