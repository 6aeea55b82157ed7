/** A data folder with the sample directory in it: loaded once, copied by every test that asks. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngineProcess } from './engine-process.ts';

async function prepare(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'desk-sample-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const engine = await startEngineProcess(dir);
  await engine.ask('POST', '/app/v1/directory/sample?wait=1');
  await engine.stop();
  return dir;
}

let prepared: Promise<string> | null = null;

/** Makes the folder, which has no engine yet, one whose directory is the sample. */
export async function copySample(folder: string): Promise<void> {
  prepared ??= prepare();
  cpSync(await prepared, folder, { recursive: true });
}
