// A folder for what the files of a run share: all projects that ask for it get the same one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for what workers share; it is removed after the run. */
    sharedDir: string;
  }
}

/** Each project loads this module by itself, in the process that runs them all. */
const run = globalThis as { deskSharedDir?: string };

/** Makes the folder; Vitest calls the function it returns after the last test file. */
export default function setUp(project: TestProject): () => void {
  run.deskSharedDir ??= mkdtempSync(join(tmpdir(), 'desk-shared-'));
  const sharedDir = run.deskSharedDir;
  project.provide('sharedDir', sharedDir);
  return () => {
    rmSync(sharedDir, { recursive: true, force: true });
    delete run.deskSharedDir;
  };
}
