/**
 * @module-tag full
 *
 * A file system that is really full, which only root can make: the engine goes on, and starts,
 * without writing, and goes on by itself when there is space.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { companies, contacts, people } from '../cli/lists.ts';
import { makePlace, runHere } from '../cli/run-desk.ts';
import { startEngineHere } from '../engine-here.ts';

/** Mounts a file system of 24 MB. */
function mountSmall(): string {
  const disk = mkdtempSync(join(tmpdir(), 'desk-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true });
  });
  return disk;
}

/** Fills a disk to its last byte. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
}

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'on a full disk the engine goes on and starts read-only, and writes again when there is space',
  async () => {
    const disk = mountSmall();
    const { dir, ...place } = makePlace();
    onTestFinished(() => place.remove());
    const dataDir = join(disk, 'data');
    for (const [name, text] of Object.entries({ people, companies, contacts }))
      place.write(`${name}.csv`, text);
    const desk = (line: string) => runHere({ dir, dataDir }, [...line.split(' '), '--json']);
    let engine = await startEngineHere(dataDir);
    const readOnly = async () =>
      ((await engine.ask('GET', '/app/v1/state')) as { read_only: object | null }).read_only;
    const refused = {
      error: 'read_only',
      detail: expect.stringMatching(/is full.*Free disk space: the engine then resumes/),
    };
    await desk('directory import people.csv --companies companies.csv');
    const order = 'enrich contacts.csv --layers L1 --out out.csv --yes';
    const { job_id: jobId } = (await desk(order)).json;

    fill(join(disk, 'fill'));
    expect((await desk('directory import people.csv')).code).toBe(1);
    expect((await desk('wallet grant 5')).json).toMatchObject(refused);
    expect(await readOnly()).toMatchObject({ reason: 'disk_full' });
    const again = `enrich --resume ${jobId} --out`;
    expect((await desk(`${again} again.csv`)).code).toBe(0);
    expect((await desk('backup copy.tar.gz')).json).toMatchObject({ damage: [] });
    expect(await engine.stop()).toBe(0);

    fill(join(disk, 'more'));
    engine = await startEngineHere(dataDir);
    expect(await readOnly()).toMatchObject({ reason: 'disk_full' });
    expect((await desk('wallet grant 5')).json).toMatchObject(refused);
    expect((await desk(`${again} third.csv`)).code).toBe(0);
    for (const name of ['again.csv', 'third.csv'])
      expect(readFileSync(join(dir, name))).toEqual(readFileSync(join(dir, 'out.csv')));

    for (const name of ['fill', 'more']) rmSync(join(disk, name));
    await expect.poll(readOnly).toBeNull();
    expect((await desk('wallet grant 5')).code).toBe(0);
    const { entries } = (await desk('audit list')).json as { entries: { action: string }[] };
    expect(entries.map(({ action }) => action)).toContain('result_exported');
    expect(await engine.stop()).toBe(0);
  },
);
