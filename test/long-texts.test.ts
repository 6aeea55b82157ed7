// Texts from outside that make a pattern try each of their characters again. A reader that takes as
// many steps as the square of a million characters would run for hours: no clock decides.
import { Script } from 'node:vm';
import { test } from 'vitest';
import { readArguments } from '../engine/assistants/tool-server/open-tools.ts';
import { classifyTitle } from '../engine/directory/normalize/classify-title.ts';
import { readMarkup } from '../engine/directory/normalize/read-markup.ts';
import { splitName } from '../engine/directory/normalize/split-name.ts';
import { fillText, findPlaceholderFaults } from '../engine/providers/definitions/template.ts';
import { isCompanyPage, isMemberPage, isOthersPage } from '../engine/spreadsheet/column-values.ts';
import { detectFile } from '../engine/spreadsheet/detect.ts';
import { createEncodingSurvey } from '../engine/spreadsheet/encoding/find-encoding.ts';
import { findTwice } from '../engine/spreadsheet/encoding/twice-encoded.ts';
import { createRowSorter } from '../engine/spreadsheet/reading/find-table.ts';
import { parseAddress } from '../engine/validations/parse-address.ts';
import { readNotes } from '../main/updates/update-policy.ts';

/** What a run is made of, behind a start that a pattern wants. */
const runs: readonly (readonly [start: string, run: string])[] = [
  ['', ' '],
  ['', '-'],
  ['', '.'],
  ['', '/'],
  ['', '('],
  ['', '@'],
  ['', '<'],
  ['<', '@'],
  ['', '"\\'],
  ['"', '\\"'],
  ['a', ' a'],
  ['Total', ' '],
  ['', '/**/'],
  ['', '--\n'],
  ['', 'MIME-Version:\n'],
  ['', 'linkedin.a'],
  ['', '{{wants.email?'],
  ['{{wants.email?', ' '],
  ['', '<a '],
  ['', '<a href=b>'],
  ['é', 'a'],
];

const longTexts = (characters: number, end: string): string[] =>
  runs.map(([start, run]) => start + run.repeat(characters / run.length) + end);

const values = {
  row: {},
  rowKey: '',
  requestId: '',
  ticket: '',
  wants: new Set<never>(),
};
const noTable = { headerLine: 1, header: ['Name', 'Firm', 'City'], setAside: [], rows: [] };

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'the start of a file': (text) => detectFile(Buffer.from(text)),
  'a text that was encoded twice': (text) => findTwice(`Ã¼ ${text}`),
  'a list in an unknown encoding': (text) => {
    const survey = createEncodingSurvey();
    // Every encoding is tried, so a part of the text is long enough.
    survey.push(Buffer.from(`Jürgen ${text.slice(-20_000)}\n`, 'latin1'));
    return survey.decide(true);
  },
  'a line of one cell': (text) =>
    createRowSorter(
      noTable,
      () => undefined,
      () => undefined,
    ).take({ cells: [text, '', ''], line: 2 }),
  'an address of LinkedIn': (text) =>
    [isMemberPage, isOthersPage, isCompanyPage].map((reads) => reads(text)),
  'an email to validate': parseAddress,
  'the notes of a version': readNotes,
  'a text of a definition': (text) => [
    fillText(text, values),
    findPlaceholderFaults(text, 'shared'),
  ],
  'an argument of a tool': (text) => {
    try {
      return readArguments('validate_emails', { emails: text });
    } catch (error) {
      return error;
    }
  },
};

/** Ends a call that would take hours, so that its test fails. */
function callInTime(longCall: () => void): void {
  Object.assign(globalThis, { longCall });
  new Script('longCall()').runInThisContext({ timeout: 150_000 });
}

test.each(Object.entries(readers))('%s of a million characters is read', (_name, read) => {
  callInTime(() => {
    for (const end of ['', 'x', '\nx']) for (const text of longTexts(1_000_000, end)) read(text);
  });
});

// A cell is cut to 2,000 characters, so its readers may take the square of its length, not more.
test.each([
  ['a link', (n: number) => readMarkup(`<a ${'href=b'.repeat(n)}${'b'.repeat(n)}</a>`, false)],
  ['a word of a title', (n: number) => classifyTitle('ab'.repeat(n))],
  ['notes behind a name', (n: number) => splitName(`A${' '.repeat(n)}·${' '.repeat(n)}|\n·`)],
])('%s of ten thousand repeats is read', (_name, read) => {
  callInTime(() => void read(10_000));
});
