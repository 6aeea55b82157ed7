// Providers, requests and answers that the schema refuses; schema.test.ts runs them.

const setting = `INSERT INTO provider_setting (provider) VALUES ('hunter');`;
const set = (changes: string) => `${setting} UPDATE provider_setting SET ${changes}`;
const step = (values: string) => `${setting} INSERT INTO provider_step VALUES (${values})`;
const keyOf = (entry: string, sealed: string, hosts = "'[]'") =>
  `${setting} INSERT INTO provider_key VALUES ('hunter', ${entry}, ${sealed}, ${hosts}, 'now')`;
const intent = `INSERT INTO provider_request (id, uuid, provider, row_count, fields, rows,
    cost_max_units, created_at) VALUES (1, 'u', 'hunter', 1, '["phone"]', '[]', 10000, 'now');`;
const request = (changes: string) => `${intent} UPDATE provider_request SET ${changes}`;
const sent = "state = 'sent', sent_at = 'now'";
const answered = `state = 'answered', sent_at = 'now', ended_at = 'now', rows = NULL,
  cost_units = 0, cost_is_reported = 1`;
const failed = `state = 'failed', ended_at = 'now', rows = NULL, cost_units = 0, failure = 'quota'`;
const uncertain = `${failed}, state = 'uncertain', sent_at = 'now', cost_units = NULL,
  uncertain_units = 1`;
const shared = (values: string) => `INSERT INTO shared_directory VALUES (1, ${values}, 'now')`;
const decision = (values: string) =>
  `${request(uncertain)}; INSERT INTO provider_decision (request_id, outcome, cost_units,
     decided_by, decided_at) SELECT 1, column1, column2, 'app', 'now' FROM (VALUES (${values}))`;
const answer = (outcome: string, text: string) =>
  `${intent} INSERT INTO provider_answer (subject, field, provider, request_id, outcome, answer,
     fetched_at) VALUES ('s', 'phone', 'hunter', 1, '${outcome}', ${text}, 'now')`;
const tally = (values: string) =>
  `INSERT INTO provider_tally VALUES ('hunter', 'phone', ${values})`;

const found = (values: string) =>
  `${intent} INSERT INTO provider_request_field VALUES (1, 'phone', ${values})`;

/** [what, SQL, the message of the refusal], with the store that schema.test.ts fills. */
export const providerRefusals: (readonly [what: string, sql: string, message: string])[] = [
  ['a price below 0', set("price_per_credit = -1, currency = 'EUR'"), 'price_per_credit >= 0'],
  ['a currency of one letter', set("price_per_credit = 1, currency = '€'"), 'length(currency) = 3'],
  [
    'a price without a currency',
    set('price_per_credit = 1'),
    '(price_per_credit IS NULL) = (currency IS NULL)',
  ],
  ['a password that is not sealed', shared("'a', NULL, x'01', 0, 1, 0"), 'length(sealed) > 37'],
  ['a password in no entry', shared("'a', '', NULL, 0, 1, 0"), "entry <> ''"],
  [
    'a password that is nowhere',
    shared("'a', NULL, NULL, 0, 1, 0"),
    '(entry IS NULL) <> (sealed IS NULL)',
  ],
  ['a switch that is neither', shared("'a', 'e', NULL, 0, 2, 0"), 'is_on IN (0, 1)'],
  ['half a secret', shared("'a', 'e', NULL, 2, 1, 0"), 'has_secret IN (0, 1)'],
  [
    'a worker without a secret',
    shared("'a', 'e', NULL, 0, 1, 1"),
    'matches_here IN (0, 1) AND matches_here <= has_secret',
  ],
  ['an empty address', shared("'', 'e', NULL, 0, 1, 0"), "address <> ''"],
  [
    'a second shared directory',
    "INSERT INTO shared_directory VALUES (2, 'a', 'e', NULL, 0, 1, 0, 'now')",
    'only = 1',
  ],
  ['a key that is not sealed', keyOf('NULL', "x'01'"), 'length(sealed) > 37'],
  ['a key whose entry has no name', keyOf("''", 'NULL'), "entry <> ''"],
  ['a key that is nowhere', keyOf('NULL', 'NULL'), '(entry IS NULL) <> (sealed IS NULL)'],
  ['a key in two places', keyOf("'e'", 'zeroblob(40)'), '(entry IS NULL) <> (sealed IS NULL)'],
  ['a key whose hosts are no list', keyOf("'e'", 'NULL', `'{}'`), "json_type(hosts) = 'array'"],
  [
    'an unused entry without a name',
    "INSERT INTO unused_keychain_entry VALUES ('')",
    "entry <> ''",
  ],
  ['a provider without a name', set("provider = ''"), "provider <> ''"],
  ['a provider that is half on', set('is_on = 2'), 'is_on IN (0, 1)'],
  ['a cap of a job below 0', set('cap_job_units = -1'), 'cap_job_units >= 0'],
  ['a cap of a day below 0', set('cap_day_units = -1'), 'cap_day_units >= 0'],
  ['a cap of a month below 0', set('cap_month_units = -1'), 'cap_month_units >= 0'],
  ['half a repeat', set('repeats_uncertain = 2'), 'repeats_uncertain IN (0, 1)'],
  ['a step of no field', step("'', 0, 'hunter', '{}'"), "field <> ''"],
  ['a step before the first', step("'phone', -1, 'hunter', '{}'"), 'position >= 0'],
  ['a rule that is no object', step("'phone', 0, 'hunter', '[]'"), "json_type(rule) = 'object'"],
  [
    'an unknown state of a request',
    request("state = 'lost'"),
    "state IN ('intent', 'sent', 'answered', 'uncertain', 'failed')",
  ],
  ['a request of no rows', request('row_count = 0'), 'row_count > 0'],
  [
    'more refused rows than a request has',
    request(`${answered}, refused_rows = 9`),
    'refused_rows BETWEEN 0 AND row_count',
  ],
  ['requested fields that are no list', request(`fields = '{}'`), "json_type(fields) = 'array'"],
  ['requested rows that are no list', request(`rows = '{}'`), "json_type(rows) = 'array'"],
  [
    'a maximum below 0',
    request('cost_max_units = -1'),
    'cost_max_units BETWEEN 0 AND 10000000000000',
  ],
  [
    'a cost below 0',
    request(`${answered}, cost_units = -1`),
    'cost_units BETWEEN 0 AND 10000000000000',
  ],
  [
    'a cost of more than a billion credits',
    request(`${answered}, cost_units = 10000000000001`),
    'cost_units BETWEEN 0 AND 10000000000000',
  ],
  [
    'a cost that is half reported',
    request(`${answered}, cost_is_reported = 2`),
    'cost_is_reported IN (0, 1)',
  ],
  [
    'an open request with an end',
    request("ended_at = 'now', rows = NULL"),
    "(ended_at IS NULL) = (state IN ('intent', 'sent'))",
  ],
  [
    'an ended request that keeps its rows',
    request(`${answered}, rows = '[]'`),
    '(rows IS NULL) = (ended_at IS NOT NULL)',
  ],
  [
    'an answer to what was not sent',
    request(`${answered}, sent_at = NULL`),
    "state NOT IN ('sent', 'answered', 'uncertain') OR sent_at IS NOT NULL",
  ],
  ['an intent that was sent', request("sent_at = 'now'"), "state <> 'intent' OR sent_at IS NULL"],
  [
    'a ticket of what was not sent',
    request(`${failed}, ticket = 't'`),
    'ticket IS NULL OR sent_at IS NOT NULL',
  ],
  [
    'a cost before the end',
    request(`${sent}, cost_units = 1`),
    "cost_units IS NULL OR state NOT IN ('intent', 'sent')",
  ],
  [
    'an answered request without a cost',
    request(`${answered}, cost_units = NULL`),
    "cost_units IS NOT NULL OR state NOT IN ('answered', 'failed')",
  ],
  ['sends below 0', request('sends = -1'), 'sends >= 0'],
  [
    'an unknown cost below 0',
    request(`${answered}, uncertain_units = -1`),
    'uncertain_units BETWEEN 0 AND 10000000000000',
  ],
  [
    'an uncertain request without an unknown cost',
    request(`${uncertain}, uncertain_units = NULL`),
    "uncertain_units IS NOT NULL OR state <> 'uncertain'",
  ],
  [
    'an open request with an unknown cost',
    request(`${sent}, uncertain_units = 1`),
    "uncertain_units IS NULL OR state IN ('answered', 'uncertain')",
  ],
  [
    'a decision about a known outcome',
    request(`${answered}, decided_at = 'now'`),
    'decided_at IS NULL OR uncertain_units IS NOT NULL',
  ],
  ['an unknown decision', decision("'maybe', 0"), "outcome IN ('charged', 'not_charged')"],
  ['a decided cost below 0', decision("'charged', -1"), 'cost_units BETWEEN 0 AND 10000000000000'],
  [
    'a cost of what was not charged',
    decision("'not_charged', 1"),
    "outcome = 'charged' OR cost_units = 0",
  ],
  [
    'a decision that changes',
    `${decision("'charged', 1")}; UPDATE provider_decision SET cost_units = 2`,
    'provider_decision_is_final',
  ],
  [
    'a decision that goes',
    `${decision("'charged', 1")}; DELETE FROM provider_decision`,
    'provider_decision_never_goes',
  ],
  [
    'an answered request whose cost is from nowhere',
    request(`${answered}, cost_is_reported = NULL`),
    "(cost_is_reported IS NULL) = (state <> 'answered')",
  ],
  [
    'a failed request that costs something',
    request(`${failed}, cost_units = 1`),
    "state <> 'failed' OR cost_units = 0",
  ],
  [
    'an uncertain request without a reason',
    request(`${uncertain}, failure = NULL`),
    "(failure IS NULL) = (state NOT IN ('uncertain', 'failed'))",
  ],
  [
    'a request that ends twice',
    `${request(answered)}; UPDATE provider_request SET state = 'failed'`,
    'provider_request_has_ended',
  ],
  [
    'an unknown outcome',
    answer('maybe', 'NULL'),
    "outcome IN ('hit', 'miss', 'lost', 'uncertain')",
  ],
  ['an answer that is no object', answer('hit', "'[]'"), "json_type(answer) = 'object'"],
  ['a hit without values', answer('hit', 'NULL'), "(answer IS NOT NULL) = (outcome = 'hit')"],
  ['fewer than no requests', tally('-1, 0'), 'asked >= 0'],
  ['more hits than requests', tally('1, 2'), 'hits BETWEEN 0 AND asked'],
  ['a share of a cost below 0', found('1, 1, -1'), 'share_units BETWEEN 0 AND 10000000000000'],
  ['data services that are half asked', 'UPDATE job SET uses_providers = 2', 'uses_providers IN'],
];
