// Writes that the tables of the authorization server refuse.

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
export const oauthRefusals: (readonly [what: string, sql: string, message: string])[] = [
  ['a program without a name', insertClient("'c', '', '[]'"), "name <> ''"],
  [
    'a program whose addresses are no list',
    insertClient("'c', 'n', '{}'"),
    "json_type(redirect_uris) = 'array'",
  ],
  [
    'a code in clear',
    code(`'${challenge}', NULL, NULL, NULL, NULL`, 'the code itself'),
    'length(hash) = 64',
  ],
  [
    'a challenge that is not SHA-256',
    code("'short', NULL, NULL, NULL, NULL"),
    'length(challenge) = 43',
  ],
  ['a cap a day below 0', code(`'${challenge}', -1, NULL, NULL, NULL`), 'cap_day_units >= 0'],
  ['a cap a month below 0', code(`'${challenge}', NULL, -1, NULL, NULL`), 'cap_month_units >= 0'],
  [
    'a key for a code that was not used',
    code(`'${challenge}', NULL, NULL, NULL, 'k'`),
    'key_id IS NULL OR used_at IS NOT NULL',
  ],
  [
    'a code that is used twice',
    `${code(`'${challenge}', NULL, NULL, 'now', NULL`)};
     UPDATE oauth_code SET used_at = 'later'`,
    'code_already_used',
  ],
  ['an email in capitals', insertLogin("1, 'A@b.c', 'scrypt$x'"), 'email = lower(email)'],
  ['a password in clear', insertLogin("1, 'a@b.c', 'secret'"), "password_hash GLOB 'scrypt$*'"],
  [
    'one email for two accounts',
    `${insertLogin("1, 'a@b.c', 'scrypt$x'")}; ${insertLogin("2, 'a@b.c', 'scrypt$x'")}`,
    'UNIQUE constraint failed: login.email',
  ],
  [
    'an issuer that is not a URL',
    insertProvider(`'ftp://a.example', 'c', NULL, '["a@b.c"]', '[]'`),
    "issuer GLOB 'https://?*' OR issuer GLOB 'http://?*'",
  ],
  [
    'a client without a name',
    insertProvider(`'https://a.example', '', NULL, '["a@b.c"]', '[]'`),
    "client_id <> ''",
  ],
  [
    'a secret that is not sealed',
    insertProvider(`'https://a.example', 'c', x'736563726574', '["a@b.c"]', '[]'`),
    'length(client_secret) > 37',
  ],
  [
    'allowed emails in capitals',
    insertProvider(`'https://a.example', 'c', NULL, '["A@b.c"]', '[]'`),
    "json_type(emails) = 'array' AND emails = lower(emails)",
  ],
  [
    'subjects that are no list',
    insertProvider(`'https://a.example', 'c', NULL, '["a@b.c"]', '{}'`),
    "json_type(subjects) = 'array'",
  ],
  [
    'a provider without allowed people',
    insertProvider(`'https://a.example', 'c', NULL, '[]', '[]'`),
    'json_array_length(emails) + json_array_length(subjects) > 0',
  ],
];
