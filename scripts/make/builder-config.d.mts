// Types of builder-config.mjs.
import type { Configuration } from 'electron-builder';
export function configureBuilder(
  root: string,
  platform: string,
  env: Record<string, string | undefined>,
  teamFile: string | null,
): Promise<{ config: Configuration; warnings: string[] }>;
