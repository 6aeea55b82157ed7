// A directory of a few people and the upstream behind it; the email decides what happens to a row.
import { type Provider, ProviderError } from '../../engine/contract/provider.ts';
import { formatRecord } from '../../engine/spreadsheet/format-record.ts';
import { fails, nothing, playProvider, type Say } from '../providers/play-provider.ts';

/** Everyone in the directory, by email. Those who moved or left were at Acme before. */
const emails = [
  'found@a.example',
  'found@b.example',
  'found@x.example',
  'found@1.example',
  'found@4.example',
  'found1@x.example',
  'found2@x.example',
  ...Array.from({ length: 51 }, (_, at) => `found${at}@a.example`),
];

const header = 'person id,first name,last name,company,email,is current,personal email';
const person = (email: string, at: number) =>
  at === 0
    ? ['p0', 'Ada', 'Byron', 'Analytical', email, '1', '']
    : [`p${at}`, 'Ada', `Found${at}`, 'Acme', email, '1', ''];
const others = [
  ['m1', 'Ada', 'Moved', 'Acme', '', '0', 'found-moved@x.example'],
  ['m1', 'Ada', 'Moved', 'Globex', '', '1', 'found-moved@x.example'],
  ['m2', 'Ada', 'Changed', 'Globex', 'found-moved@b.example', '1', ''],
  ['l1', 'Ada', 'Left', 'Acme', 'found-left@x.example', '0', ''],
];

export const samplePeople = [
  `${header}\r\n`,
  ...[...emails.map(person), ...others].map((cells) => formatRecord(cells)),
].join('');

/**
 * Creates the upstream of rows that the directory does not know. It cannot answer `failed…`, is
 * down for `down…`, lacks credits for `broke…`, and knows no one else. For an address of
 * `down-once…` it is down at the first request only.
 */
export function createScriptedProvider(): Provider {
  const answered = new Set<string>();
  const isDown = (email: string) =>
    email.startsWith('down') && !(email.startsWith('down-once') && answered.has(email));
  const say: Say = ({ email = '' }) => {
    if (isDown(email)) {
      answered.add(email);
      throw new ProviderError('unavailable', 'The upstream said no.');
    }
    if (email.startsWith('broke')) throw new ProviderError('quota', 'The upstream said no.');
    return email.startsWith('failed') ? fails('The upstream could not answer this row.') : nothing;
  };
  return playProvider(say, { id: 'upstream', title: 'Upstream', rowsMax: 1 }).provider;
}
