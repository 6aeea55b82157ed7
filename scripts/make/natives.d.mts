/** Puts the keychain's binary for a processor into `root`/node_modules (see natives.mjs). */
export function addNative(root: string, platform: 'win32', processor: string): void;
