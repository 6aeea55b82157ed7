// Writes that the tables of the authorization server refuse.
import type { Refusal } from './temporary-store.ts';

const hash = 'a'.repeat(64);
const challenge = 'c'.repeat(43);
const insertClient = (values: string) => `INSERT INTO oauth_client VALUES (${values}, 'now')`;
const insertCode = (values: string) => `INSERT INTO oauth_code
  (hash, client_id, client_name, account_id, redirect_uri, expires_at, challenge, cap_day_units,
   cap_month_units, used_at, key_id) VALUES (${values})`;
const code = (rest: string, of = hash) => insertCode(`'${of}', 'c', 'n', 1, 'u', 'later', ${rest}`);
const insertLogin = (values: string) => `INSERT INTO login VALUES (${values}, 'now')`;

const insertProvider = (values: string) =>
  `INSERT INTO identity_provider VALUES (1, ${values}, 'now')`;

/** Each with its purpose and the message of the schema. */
export const oauthRefusals: readonly Refusal[] = [
  [insertClient("'c', '', '[]'"), "name <> ''"],
  [insertClient("'c', 'n', '{}'"), "json_type(redirect_uris) = 'array'"],
  [code(`'${challenge}', NULL, NULL, NULL, NULL`, 'the code itself'), 'length(hash) = 64'],
  [code("'short', NULL, NULL, NULL, NULL"), 'length(challenge) = 43'],
  [code(`'${challenge}', -1, NULL, NULL, NULL`), 'cap_day_units >= 0'],
  [code(`'${challenge}', NULL, -1, NULL, NULL`), 'cap_month_units >= 0'],
  [code(`'${challenge}', NULL, NULL, NULL, 'k'`), 'key_id IS NULL OR used_at IS NOT NULL'],
  [
    `${code(`'${challenge}', NULL, NULL, 'now', NULL`)};
     UPDATE oauth_code SET used_at = 'later'`,
    'code_already_used',
  ],
  [insertLogin("1, 'A@b.c', 'scrypt$x'"), 'email = lower(email)'],
  [insertLogin("1, 'a@b.c', 'secret'"), "password_hash GLOB 'scrypt$*'"],
  [
    `${insertLogin("1, 'a@b.c', 'scrypt$x'")}; ${insertLogin("2, 'a@b.c', 'scrypt$x'")}`,
    'UNIQUE constraint failed: login.email',
  ],
  [
    insertProvider(`'ftp://a.example', 'c', NULL, '["a@b.c"]', '[]'`),
    "issuer GLOB 'https://?*' OR issuer GLOB 'http://?*'",
  ],
  [insertProvider(`'https://a.example', '', NULL, '["a@b.c"]', '[]'`), "client_id <> ''"],
  [
    insertProvider(`'https://a.example', 'c', x'736563726574', '["a@b.c"]', '[]'`),
    'length(client_secret) > 37',
  ],
  [
    insertProvider(`'https://a.example', 'c', NULL, '["A@b.c"]', '[]'`),
    "json_type(emails) = 'array' AND emails = lower(emails)",
  ],
  [
    insertProvider(`'https://a.example', 'c', NULL, '["a@b.c"]', '{}'`),
    "json_type(subjects) = 'array'",
  ],
  [
    insertProvider(`'https://a.example', 'c', NULL, '[]', '[]'`),
    'json_array_length(emails) + json_array_length(subjects) > 0',
  ],
];
