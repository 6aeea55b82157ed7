// The types of electron-binary.mjs, for the tests that are written in TypeScript.
export function findElectron(): string | null;
export function hasScreen(): boolean;
export function electronFlags(): string[];
export function downloadElectron(): string | null;
export function whyNoSandbox(platform?: NodeJS.Platform, folder?: string): string | null;
