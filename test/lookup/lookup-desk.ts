// An engine whose directory knows a few people, and functions for lookups.
import { expect } from 'vitest';
import type { ServerConfig } from '../../engine/app/server-context.ts';
import type { OwnedKind } from '../../engine/contract/lookup.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import { formatRecord } from '../../engine/spreadsheet/format-record.ts';
import {
  type Answer,
  type CallOptions,
  type Desk,
  openApiDesk,
  shareApiDesk,
} from '../http/open-api-desk.ts';
import type { EnvironmentSetting } from '../http/open-environment.ts';

export type LookupKind = Exclude<OwnedKind, 'profile'>;

/** Options of a lookup other than the profile URL. */
export interface LookupOptions extends CallOptions {
  /** The token in the query; the desk's own key by default, none if null. */
  readonly token?: string | null;
}

export interface LookupDesk extends Desk {
  lookUp(kind: LookupKind, profileUrl: unknown, options?: LookupOptions): Promise<Answer>;
  /** What the account has available, and has spent: "99995.0000 5.0000". */
  readWallet(): Promise<string>;
}

/** The profile of a person with an email and both kinds of phone. */
export const ada = 'https://www.linkedin.com/in/ada-lovelace';
/** Of a person with an email only. */
export const grace = 'https://www.linkedin.com/in/grace-hopper';
/** Of a person with a bounced address and a direct phone only. */
export const alan = 'https://people.example/alan?id=7';
export const shared = 'https://people.example/everybody';
export const hidden = 'https://people.example/hidden';
/** Of no person. */
export const nobody = 'https://www.linkedin.com/in/nobody-knows';
/** Of people with a phone each, numbered from 0 to 49. */
const oneOfMany = (at: number) => `https://people.example/many/${at}`;

const manyMax = 50;
const headers = 'id,name,company,email,email status,mobile,direct phone,profile url,suppressed';
const people: readonly (readonly string[])[] = [
  ['1', 'Ada Lovelace', 'Engines', 'ada@engines.example', 'valid', '+41 79 100 00 01'],
  ['2', 'Grace Hopper', 'Navy', 'grace@navy.example', '', '', '', grace],
  ['3', 'Alan Turing', 'Bombes', 'alan@bombes.example', 'bounced', '', '+41 31 100 00 03', alan],
  ['4', 'Tom Twin', 'Twins', 'tom@twins.example', '', '+41 79 100 00 04', '', shared],
  ['5', 'Tim Twin', 'Twins', 'tim@twins.example', '', '+41 79 100 00 05', '', shared],
  ['6', 'Eve Hidden', 'Shy', 'eve@shy.example', 'valid', '+41 79 100 00 06', '', hidden, 'yes'],
  ['7', 'Finn Found', 'Acme', 'found@a.example', 'valid'],
  ...Array.from({ length: manyMax }, (_, at) => {
    const phone = `+41 79 200 00 ${String(at).padStart(2, '0')}`;
    return [`m${at}`, `Many Person${at}`, 'Many', '', '', phone, '', oneOfMany(at)];
  }),
];

function makePeople(): string {
  const [first = [], ...others] = people;
  const rows = [[...first, '+41 31 100 00 01', ada], ...others];
  return `${headers}\r\n${rows.map((row) => formatRecord(row)).join('')}`;
}
const lookupPeople = makePeople();

const describeLookupDesk = (desk: Desk): LookupDesk => ({
  ...desk,
  lookUp(kind, profileUrl, { token = desk.key, ...options } = {}) {
    const query = token === null ? '' : `?token=${encodeURIComponent(token)}`;
    const isPlain = options.body === undefined && options.form === undefined;
    return desk.call('POST', `/${kind}/enrichment/${query}`, {
      key: null,
      ...(isPlain && { json: { profile_url: profileUrl } }),
      ...options,
    });
  },
  async readWallet() {
    const { available, spent } = (await desk.app('GET', 'wallet')).data;
    return `${available} ${spent}`;
  },
});

/** Changes the directory of a separate desk, as another import would. */
export function changeDirectory(desk: Desk, sql: string): void {
  const directory = openDirectory(desk.environment.folder);
  directory.exec(sql);
  directory.close();
}

/** Opens a desk whose directory knows the people above; it ends with the test. */
export const openLookupDesk = async (
  config: Partial<ServerConfig> = {},
  setting: EnvironmentSetting = {},
): Promise<LookupDesk> =>
  describeLookupDesk(await openApiDesk(config, { people: lookupPeople, ...setting }));

/** Opens one desk per file; each call returns it with a new account. */
export function shareLookupDesk(config: Partial<ServerConfig> = {}): () => Promise<LookupDesk> {
  const open = shareApiDesk(config, { people: lookupPeople });
  return async () => describeLookupDesk(await open());
}

/**
 * Asserts the error format of lookups.
 * @param what names the case if a test has many
 */
export function expectLookupRefusal(
  answer: Answer,
  status: number,
  message = /.{10}/,
  what = 'refusal',
): void {
  expect({ what, status: answer.status, body: answer.body }).toEqual({
    what,
    status,
    body: { status: 'error', message: expect.stringMatching(message), code: status },
  });
}
