// `desk person …`: find, export and delete everything about one person.
import {
  type PersonPlace,
  type PersonReceipt,
  type PersonSearch,
  personData,
} from '../../../contract/person-data/person-data.ts';
import { type Call, type Command, type Outcome, readOption } from '../../kit/command.ts';
import type { EngineClient } from '../../kit/engine-client.ts';
import { formatCount, formatNumber, formatTable } from '../../kit/format-text.ts';
import { readFormat, readOutPath } from '../../kit/read-paths.ts';
import { badUsage, CommandError, exitCodes } from '../../kit/refusal.ts';
import { writeWhole } from '../../kit/write-whole.ts';

const pickOption = {
  value: 'ID',
  summary: 'which person, if several match: an id that person find lists',
} as const;

const readQuery = (call: Call) => {
  const pick = readOption(call, 'pick');
  return { value: call.positionals[0] ?? '', ...(pick !== undefined && { pick }) };
};

const describeCandidates = ({ candidates }: PersonSearch): string[] =>
  formatTable(
    candidates.map(({ pick, name, title, employer, environment }) => [
      pick,
      name,
      title,
      employer,
      environment === 'staging' ? 'staging' : '',
    ]),
  );

const countEntries = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}`;

const describePlaces = (places: readonly PersonPlace[]): string[] => [
  ...formatTable(
    places.map(({ environment, place, entries, treatment }) => [
      place,
      formatCount(entries),
      treatment,
      environment === 'staging' ? 'staging' : '',
    ]),
  ),
  ...new Set(places.flatMap(({ place, advice }) => (advice === '' ? [] : [`${place}: ${advice}`]))),
];

const severalFit = 'Several people match. Add --pick with the id of one of them.';

const search = async (call: Call, engine: EngineClient): Promise<PersonSearch> =>
  engine.ask(personData.search, readQuery(call));

/** What is held about the person who matches. Throws a CommandError if several or none match. */
async function findOne(call: Call, engine: EngineClient) {
  const found = await search(call, engine);
  if (found.held) return { candidate: found.candidates[0], held: found.held };
  if (found.candidates.length === 0)
    throw new CommandError(
      'not_found',
      exitCodes.failed,
      'No person in the directory has this name.',
    );
  for (const line of describeCandidates(found)) call.terminal.note(line);
  throw new CommandError('validation_error', exitCodes.failed, severalFit);
}

const findCommand: Command = {
  name: 'person find',
  summary: 'Show where the data folder has data about one person',
  args: '<VALUE>',
  options: { pick: pickOption },
  notes: [
    'VALUE is an email, a phone with its country code, a profile URL, an id in the directory, a ' +
      'name, or "Name | Employer".',
    'All accounts and both environments are searched. The exit code is 1 if several match.',
  ],
  async run(call): Promise<Outcome> {
    const found = await search(call, await call.openEngine());
    const { held, candidates } = found;
    if (!held)
      return {
        exitCode: exitCodes.failed,
        json: found,
        lines:
          candidates.length === 0
            ? ['No person in the directory has this name. Give an email, or "Name | Employer".']
            : [...describeCandidates(found), severalFit],
      };
    const { person } = held;
    const known = Object.entries(person).flatMap(([kind, values]) =>
      values.length === 0 ? [] : [[kind.replace('_', ' '), values.join(', ')]],
    );
    return {
      json: found,
      lines: [
        ...formatTable(known),
        ...describePlaces(held.places),
        held.total === 0
          ? 'There is nothing that a deletion would remove.'
          : `Held: ${countEntries(held.total)}. The last words say what a deletion would do.`,
      ],
    };
  },
};

function readJsonPath(call: Call): string {
  const out = readOutPath(call);
  readFormat(out, 'out', ['json']);
  return out;
}

const exportCommand: Command = {
  name: 'person export',
  summary: 'Write everything that is held about one person to a JSON file',
  args: '<VALUE>',
  options: {
    pick: pickOption,
    out: {
      value: 'FILE',
      summary: 'the file; replaced when the new one is complete',
      isRequired: true,
    },
  },
  async run(call) {
    const out = readJsonPath(call);
    const engine = await call.openEngine();
    await findOne(call, engine);
    const data = await engine.ask(personData.exportAll, readQuery(call));
    await writeWhole(out, async (write) => write(`${JSON.stringify(data, null, 2)}\n`));
    return {
      json: { out, entries: data.entries.length },
      lines: [`${countEntries(data.entries.length)} written to ${out}.`],
    };
  },
};

const describeReceipt = ({ receipt_id: id, ...receipt }: PersonReceipt): string[] => [
  id,
  receipt.requested_at.slice(0, 16).replace('T', ' '),
  receipt.state === 'done' ? 'done' : 'not ended',
  countEntries(receipt.total),
  receipt.author,
  receipt.suppressed ? 'suppressed' : '',
];

async function confirmDeletion(call: Call, what: string): Promise<void> {
  if (call.values.yes === true) return;
  if (!call.terminal.isInteractive)
    throw badUsage('Cannot ask without a terminal. Nothing was deleted. Add --yes to delete.');
  if (await call.terminal.ask(`Delete ${what}? This cannot be undone.`)) return;
  throw new CommandError('declined', exitCodes.failed, 'Nothing was deleted.');
}

const deleteCommand: Command = {
  name: 'person delete',
  summary: 'Delete everything about one person, and print a receipt',
  args: '<VALUE>',
  options: {
    pick: pickOption,
    suppress: {
      summary: 'add the person to the suppression list too, so that no import adds them again',
    },
    yes: { summary: 'delete without asking' },
  },
  notes: [
    'Credits, counts and positions of rows stay, without the person. Backups are not changed.',
    'It is refused while a job, a pipeline or an email validation runs in any account.',
    'Without --suppress, the next import of a list with the person adds the person again.',
  ],
  async run(call) {
    const engine = await call.openEngine();
    const { candidate, held } = await findOne(call, engine);
    for (const line of describePlaces(held.places)) call.terminal.note(line);
    const who = candidate?.name ? ` about ${candidate.name}` : '';
    await confirmDeletion(call, `${countEntries(held.total)}${who}`);
    const suppress = call.values.suppress === true;
    const receipt = await engine.ask(personData.deletePerson, {
      ...readQuery(call),
      confirmed: true,
      suppress,
    });
    return {
      json: receipt,
      lines: [
        `Deleted: ${countEntries(receipt.total)}. Receipt: ${receipt.receipt_id}.`,
        suppress
          ? 'The person is on the suppression list.'
          : 'An import of a list with the person adds the person again; desk suppress add ' +
            'prevents it.',
      ],
    };
  },
};

const receiptsCommand: Command = {
  name: 'person receipts',
  summary: 'List the receipts of deletions, newest first',
  args: '[VALUE]',
  options: { out: { value: 'FILE', summary: 'write the receipts to a JSON file' } },
  notes: ['With VALUE, only receipts about the person with this email, phone, URL, id or name.'],
  async run(call) {
    const out = 'out' in call.values ? readJsonPath(call) : null;
    const engine = await call.openEngine();
    const receipts = await engine.ask(personData.receipts, {
      value: call.positionals[0] ?? '',
    });
    const count = formatNumber(receipts.length, 'receipt');
    if (out === null)
      return {
        json: receipts,
        lines: [...formatTable(receipts.map(describeReceipt)), `${count}.`],
      };
    await writeWhole(out, async (write) => write(`${JSON.stringify(receipts, null, 2)}\n`));
    return { json: { out, receipts: receipts.length }, lines: [`${count} written to ${out}.`] };
  },
};

export const personCommands: readonly Command[] = [
  findCommand,
  exportCommand,
  deleteCommand,
  receiptsCommand,
];
