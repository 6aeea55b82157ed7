// `desk shared use` and `test`: the team's directory of this engine, as Connections sets it.
import { sharedDirectory } from '../../contract/shared/settings.ts';
import { type Call, type Command, type Outcome, readOption, readSwitch } from '../kit/command.ts';
import { exitCodes } from '../kit/refusal.ts';
import { readPassword, readSecretFile } from './open-shared.ts';

async function runUse(call: Call): Promise<Outcome> {
  const engine = await call.openEngine();
  const known = await engine.ask(sharedDirectory.read);
  const url = readOption(call, 'url');
  const password = url === undefined ? undefined : await readPassword(call);
  const hasSecret = readOption(call, 'secret-file') !== undefined;
  const change = {
    ...(password && { password }),
    ...(hasSecret && { secret: readSecretFile(call).toString('hex') }),
    is_on: readSwitch(call, 'ask'),
    matches_here: readSwitch(call, 'match'),
  };
  const address = url ?? known.address;
  const isChange = url !== undefined || Object.values(change).some((value) => value !== undefined);
  const isSet = isChange && address !== null;
  const shown = isSet ? await engine.ask(sharedDirectory.change, { address, ...change }) : known;
  if (shown.address === null) return { json: shown, lines: ['No team directory is set.'] };
  const tested = isSet ? await engine.ask(sharedDirectory.test) : null;
  const hasFailed = tested?.test?.is_ready === false;
  return {
    exitCode: hasFailed ? exitCodes.failed : exitCodes.done,
    json: { ...shown, ...tested },
    lines: [
      `Jobs ask it: ${shown.is_on ? 'on' : 'off'}. ` +
        `Match on this computer: ${shown.matches_here ? 'on' : 'off'}.`,
      ...(tested?.test ? [tested.test.detail] : []),
      ...(hasFailed ? ['It is saved. To change it, give --url again; then: desk shared test'] : []),
      shown.address,
    ],
  };
}

async function runTest(call: Call): Promise<Outcome> {
  const engine = await call.openEngine();
  const { test } = await engine.ask(sharedDirectory.test);
  if (!test) return { exitCode: 1, json: null, lines: ['No team directory is set.'] };
  const { state, detail } = test.own_worker;
  const worker = `The worker of this engine: ${state}${detail ? ` (${detail})` : ''}.`;
  return {
    exitCode: test.is_ready ? exitCodes.done : exitCodes.failed,
    json: test,
    lines: [worker, test.detail],
  };
}

export const sharedUse: readonly Command[] = [
  {
    name: 'shared use',
    summary: "Show or set the team's directory that this engine asks",
    options: {
      url: { value: 'URL', summary: 'postgres://USER@HOST/DATABASE, without a password' },
      'secret-file': { value: 'FILE', summary: 'the secret of the keys, for --match on' },
      ask: { value: 'ON|OFF', summary: 'whether jobs ask it' },
      match: { value: 'ON|OFF', summary: 'whether this engine runs a worker while it runs' },
    },
    notes: [
      'A change is tested at once, and the exit code is 1 if the test fails.',
      'With --url, the password is read from PGPASSWORD, or asked for.',
      'Password and secret are kept in the keychain.',
    ],
    run: runUse,
  },
  {
    name: 'shared test',
    summary: "Test the team's directory that this engine asks, and its worker",
    run: runTest,
  },
];
