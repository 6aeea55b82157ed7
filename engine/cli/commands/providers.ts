// `desk providers …`: the definitions of data services, and the test of one with your key.
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { providerFieldNames } from '../../contract/provider.ts';
import { createFindRoutes } from '../../platform/net/proxy-routes.ts';
import { openAnswerReader } from '../../providers/definitions/answer-reader.ts';
import { checkDefinition } from '../../providers/definitions/check-definition.ts';
import {
  type ListedDefinition,
  listDefinitions,
} from '../../providers/definitions/list-definitions.ts';
import { describeTerms } from '../../providers/definitions/plan-operations.ts';
import type { ProviderCheck } from '../../providers/definitions/test-provider.ts';
import { testUserProvider } from '../../providers/installed/open-provider.ts';
import type { Call, Command, Outcome } from '../kit/command.ts';
import { formatNumber, formatTable } from '../kit/format-text.ts';
import { readTextFile } from '../kit/read-paths.ts';
import { badUsage, CommandError, exitCodes } from '../kit/refusal.ts';
import { providerOrderCommands } from './provider-order.ts';
import { providerSettingCommands, testStored } from './provider-settings.ts';

const faultLines = (path: string, { checked }: Pick<ListedDefinition, 'checked'>): string[] =>
  checked.faults.map(({ line, what }) => `${path}:${line}: ${what}`);

function presentDefinition({ id, origin, path, checked }: ListedDefinition) {
  const { definition, faults } = checked;
  if (!definition) return { id, origin, path, title: null, fields: [], faults };
  const { fields } = describeTerms(definition);
  const names = providerFieldNames.filter((field) => fields[field] !== undefined);
  return { id, origin, path, title: definition.title, fields: names, faults };
}

const listCommand: Command = {
  name: 'providers list',
  summary: 'List the definitions of data services: shipped ones and your own',
  async run(call) {
    const found = listDefinitions(call.dataDir);
    const listed = found.map(presentDefinition);
    const faults = found.flatMap((one) => faultLines(one.path, one));
    const rows = listed.map(({ id, origin, title, fields }) =>
      title === null ? [id, origin, 'is faulty', ''] : [id, origin, title, fields.join(', ')],
    );
    return {
      json: listed,
      lines: [...formatTable(rows), ...faults, formatNumber(listed.length, 'definition')],
    };
  },
};

async function runCheck(call: Call): Promise<Outcome> {
  const given = call.positionals[0] ?? '';
  const path = call.resolvePath(given);
  const checked = checkDefinition(readTextFile(call, given), basename(path, '.json'));
  const { definition, faults } = checked;
  return {
    exitCode: definition ? exitCodes.done : exitCodes.failed,
    json: { path, id: definition?.id ?? null, faults },
    lines: definition
      ? [`${given} is a complete definition of ${definition.title}.`]
      : faultLines(given, { checked }),
  };
}

const checkCommand: Command = {
  name: 'providers check',
  summary: 'Check a definition file, and list its faults by line',
  args: '<FILE>',
  notes: ['The exit code is 1 if the file has a fault. docs/providers.md describes the format.'],
  run: runCheck,
};

const describeCheck = ({ assumption, isOk, detail }: ProviderCheck): string[] => [
  isOk ? 'ok' : 'wrong',
  [assumption, detail].filter((text) => text !== '').join(' '),
];

async function runTest(call: Call): Promise<Outcome> {
  const name = call.positionals[0] ?? '';
  const found = listDefinitions(call.dataDir).find(({ id }) => id === name);
  if (!found) throw badUsage(`There is no provider ${name}. See desk providers list.`);
  const { definition } = found.checked;
  if (!definition)
    throw new CommandError(
      'bad_definition',
      exitCodes.failed,
      faultLines(found.path, found).join('\n'),
    );
  const key = (await call.terminal.readSecret(`Your key at ${definition.title}: `)).trim();
  if (key === '')
    throw badUsage('Send the key on standard input, such as: desk providers test NAME < key.txt');
  const reader = openAnswerReader();
  const ended = new AbortController();
  const clock = {
    now: () => Date.now(),
    wait: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }),
  };
  try {
    const findRoutes = createFindRoutes(process.env, null);
    const deps = { clock, reader, findRoutes, readSecret: async () => key };
    const signal = call.catchInterrupt(ended.signal);
    const { checks } = await testUserProvider(definition, deps, signal);
    const wrongs = checks.filter(({ isOk }) => !isOk).length;
    const count = formatNumber(checks.length, 'check');
    const verdict =
      checks.length === 0
        ? `${definition.title} has no free request to test it with.`
        : `${wrongs === 0 ? 'All' : `${checks.length - wrongs} of`} ${count} passed.`;
    return {
      exitCode: wrongs === 0 ? exitCodes.done : exitCodes.failed,
      json: { id: definition.id, checks },
      lines: [...formatTable(checks.map(describeCheck)), verdict],
    };
  } finally {
    ended.abort();
    await reader.stop();
  }
}

const testCommand: Command = {
  name: 'providers test',
  summary: 'Test a data service with your key, using only free requests',
  args: '<NAME>',
  options: { stored: { summary: 'use the key of desk providers add' } },
  notes: [
    'The key is read from standard input, and is not stored, unless --stored is given.',
    'The exit code is 1 if a check is wrong.',
  ],
  run: (call) => (call.values.stored ? testStored(call) : runTest(call)),
};

export const providerCommands: readonly Command[] = [
  listCommand,
  checkCommand,
  testCommand,
  ...providerSettingCommands,
  ...providerOrderCommands,
];
