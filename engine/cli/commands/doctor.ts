/** `desk doctor`: shows the engine's checks of itself, and fails if one is wrong. */
import { z } from 'zod';
import { type Check, CheckSchema } from '../../contract/engine.ts';
import { EngineError } from '../../contract/errors.ts';
import { findSystemRefusal } from '../../platform/sqlite/system-refusal.ts';
import type { Call, Command, Outcome } from '../kit/command.ts';
import { formatNumber, formatTable } from '../kit/format-text.ts';
import { exitCodes } from '../kit/refusal.ts';

async function readChecks(call: Call): Promise<Check[]> {
  try {
    const engine = await call.openEngine();
    return await engine.request(z.array(CheckSchema), 'GET', 'doctor');
  } catch (error) {
    // An engine that cannot start is a finding; one that stopped meanwhile is an error.
    const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
    if (!refusal) throw error;
    return [{ name: 'Engine', state: 'wrong', detail: refusal.detail }];
  }
}

async function runDoctor(call: Call): Promise<Outcome> {
  const checks = await readChecks(call);
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length;
  const wrongs = count('wrong');
  const verdict =
    wrongs === 0
      ? `All is well, with ${formatNumber(count('warning'), 'warning')}.`
      : `${wrongs} of ${checks.length} checks are wrong. Do what they say, then run doctor again.`;
  return {
    exitCode: wrongs === 0 ? exitCodes.done : exitCodes.failed,
    json: checks,
    lines: [
      ...formatTable(checks.map(({ name, state, detail }) => [state, name, detail])),
      verdict,
    ],
  };
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check files, ledger, directory, port, disk and keychain',
  notes: ['The exit code is 1 if a check is wrong. Warnings do not count.'],
  run: runDoctor,
};
