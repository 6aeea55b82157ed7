// The types of chromium.mjs, for the tests that are written in TypeScript.
export function chromiumFlags(): string[];
export function findChromium(): string | null;
export function ensureChromium(): string;
