// A folder that cannot be written refuses changes, and keeps what can wait.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ReadOnly } from '../../engine/contract/engine.ts';
import { EngineError } from '../../engine/contract/errors.ts';
import { createWriteGate } from '../../engine/maintenance/read-only/write-gate.ts';
import { currentOrigin, runWithOrigin } from '../../engine/platform/workers/call-origin.ts';

const origin = { channel: 'app', keyId: null, accountId: 1 } as const;

/** A gate with a timer that the test fires, and calls that record what reached them. */
function openGate() {
  const folder = mkdtempSync(join(tmpdir(), 'desk-gate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const changes: (ReadOnly['reason'] | null)[] = [];
  const timers: (() => void)[] = [];
  const reached: unknown[] = [];
  let damages = 0;
  const gate = createWriteGate({
    folder,
    damage: null,
    setTimer(work) {
      timers.push(work);
      return () => void timers.splice(timers.indexOf(work), 1);
    },
    onChange: (readOnly) => changes.push(readOnly?.reason ?? null),
    onDamage: () => {
      damages += 1;
    },
  });
  const record = (name: string) => async () => void reached.push([name, currentOrigin()?.channel]);
  const fail = async ({ code }: { code: 'read_only' | 'database_damaged' | 'not_found' }) => {
    throw new EngineError(code);
  };
  const calls = gate.guard(
    {
      grant: record('grant'),
      note: record('note'),
      copy: record('copy'),
      touch: record('touch'),
      fail,
    },
    { note: 'waits', copy: 'passes', touch: 'left out' },
  );
  return {
    gate,
    calls,
    changes,
    reached,
    timers,
    damages: () => damages,
    /** Every write to this device fails with ENOSPC. */
    fill: () => symlinkSync('/dev/full', join(folder, 'space.tmp')),
    fire: () => timers.shift()?.(),
  };
}

test.runIf(process.platform === 'linux')(
  'while the disk is full, changes are refused and records wait until a probe finds space',
  async () => {
    const { gate, calls, changes, reached, fill, fire, timers } = openGate();
    await expect(calls.fail({ code: 'not_found' })).rejects.toMatchObject({ code: 'not_found' });
    expect(gate.describe()).toBeNull();
    const refusal = {
      code: 'read_only',
      detail: expect.stringMatching(
        /is full.*read, export and make a backup.*resumes automatically/,
      ),
    };
    await expect(calls.fail({ code: 'read_only' })).rejects.toMatchObject(refusal);
    await expect(calls.grant()).rejects.toMatchObject(refusal);
    await runWithOrigin(origin, () => calls.note());
    await calls.touch();
    await calls.copy();
    expect(reached).toEqual([['copy', undefined]]);
    fill();
    fire();
    expect(changes).toEqual(['disk_full']);
    fire();
    expect([changes, timers]).toEqual([['disk_full', null], []]);
    await expect.poll(() => reached).toContainEqual(['note', 'app']);
    await calls.grant();
    expect(reached.at(-1)).toEqual(['grant', undefined]);
  },
);

test('after damage, changes are refused until the engine starts again', async () => {
  const { gate, calls, changes, damages, timers } = openGate();
  const refusal = {
    code: 'read_only',
    detail: expect.stringMatching(/damaged.*desk doctor --repair, or restore a backup/),
  };
  await expect(calls.fail({ code: 'read_only' })).rejects.toMatchObject({ code: 'read_only' });
  gate.note(new EngineError('database_damaged'));
  gate.note(new EngineError('database_damaged'));
  await expect(calls.grant()).rejects.toMatchObject(refusal);
  expect([changes, damages(), timers]).toEqual([['disk_full', 'damaged'], 1, []]);
});
