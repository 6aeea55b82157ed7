// Types of signing.mjs.
import type { Configuration } from 'electron-builder';
export function chooseSigning(
  platform: string,
  env: Record<string, string | undefined>,
): { config: Configuration; warnings: string[] };
