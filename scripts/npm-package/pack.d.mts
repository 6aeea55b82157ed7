// Types of pack.mjs.
export function packForNpm(root: string, outputDir: string): { path: string; bytes: number };
