/** A folder for what the files of a run share: the projects name the same one, for one run. */
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for what workers share; it is removed after the run. */
    sharedDir: string;
  }
}

/** Makes the folder; Vitest calls the function it returns after the last test file. */
export default function setUp(project: TestProject): () => void {
  const sharedDir = join(tmpdir(), `desk-shared-${process.pid}`);
  mkdirSync(sharedDir, { recursive: true, mode: 0o700 });
  project.provide('sharedDir', sharedDir);
  return () => rmSync(sharedDir, { recursive: true, force: true });
}
