// Providers, requests and answers that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

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

export const providerRefusals: readonly Refusal[] = [
  [set("price_per_credit = -1, currency = 'EUR'"), 'price_per_credit >= 0'],
  [set("price_per_credit = 1, currency = '€'"), 'length(currency) = 3'],
  [set('price_per_credit = 1'), '(price_per_credit IS NULL) = (currency IS NULL)'],
  [shared("'a', NULL, x'01', 0, 1, 0"), 'length(sealed) > 37'],
  [shared("'a', '', NULL, 0, 1, 0"), "entry <> ''"],
  [shared("'a', NULL, NULL, 0, 1, 0"), '(entry IS NULL) <> (sealed IS NULL)'],
  [shared("'a', 'e', NULL, 0, 2, 0"), 'is_on IN (0, 1)'],
  [shared("'a', 'e', NULL, 2, 1, 0"), 'has_secret IN (0, 1)'],
  [shared("'a', 'e', NULL, 0, 1, 1"), 'matches_here IN (0, 1) AND matches_here <= has_secret'],
  [shared("'', 'e', NULL, 0, 1, 0"), "address <> ''"],
  ["INSERT INTO shared_directory VALUES (2, 'a', 'e', NULL, 0, 1, 0, 'now')", 'only = 1'],
  [keyOf('NULL', "x'01'"), 'length(sealed) > 37'],
  [keyOf("''", 'NULL'), "entry <> ''"],
  [keyOf('NULL', 'NULL'), '(entry IS NULL) <> (sealed IS NULL)'],
  [keyOf("'e'", 'zeroblob(40)'), '(entry IS NULL) <> (sealed IS NULL)'],
  [keyOf("'e'", 'NULL', `'{}'`), "json_type(hosts) = 'array'"],
  ["INSERT INTO unused_keychain_entry VALUES ('')", "entry <> ''"],
  [set("provider = ''"), "provider <> ''"],
  [set('is_on = 2'), 'is_on IN (0, 1)'],
  [set('cap_job_units = -1'), 'cap_job_units >= 0'],
  [set('cap_day_units = -1'), 'cap_day_units >= 0'],
  [set('cap_month_units = -1'), 'cap_month_units >= 0'],
  [set('repeats_uncertain = 2'), 'repeats_uncertain IN (0, 1)'],
  [step("'', 0, 'hunter', '{}'"), "field <> ''"],
  [step("'phone', -1, 'hunter', '{}'"), 'position >= 0'],
  [step("'phone', 0, 'hunter', '[]'"), "json_type(rule) = 'object'"],
  [request("state = 'lost'"), "state IN ('intent', 'sent', 'answered', 'uncertain', 'failed')"],
  [request('row_count = 0'), 'row_count > 0'],
  [request(`${answered}, refused_rows = 9`), 'refused_rows BETWEEN 0 AND row_count'],
  [request(`fields = '{}'`), "json_type(fields) = 'array'"],
  [request(`rows = '{}'`), "json_type(rows) = 'array'"],
  [request('cost_max_units = -1'), 'cost_max_units BETWEEN 0 AND 10000000000000'],
  [request(`${answered}, cost_units = -1`), 'cost_units BETWEEN 0 AND 10000000000000'],
  [request(`${answered}, cost_units = 10000000000001`), 'cost_units BETWEEN 0 AND 10000000000000'],
  [request(`${answered}, cost_is_reported = 2`), 'cost_is_reported IN (0, 1)'],
  [request("ended_at = 'now', rows = NULL"), "(ended_at IS NULL) = (state IN ('intent', 'sent'))"],
  [request(`${answered}, rows = '[]'`), '(rows IS NULL) = (ended_at IS NOT NULL)'],
  [
    request(`${answered}, sent_at = NULL`),
    "state NOT IN ('sent', 'answered', 'uncertain') OR sent_at IS NOT NULL",
  ],
  [request("sent_at = 'now'"), "state <> 'intent' OR sent_at IS NULL"],
  [request(`${failed}, ticket = 't'`), 'ticket IS NULL OR sent_at IS NOT NULL'],
  [request(`${sent}, cost_units = 1`), "cost_units IS NULL OR state NOT IN ('intent', 'sent')"],
  [
    request(`${answered}, cost_units = NULL`),
    "cost_units IS NOT NULL OR state NOT IN ('answered', 'failed')",
  ],
  [request('sends = -1'), 'sends >= 0'],
  [request(`${answered}, uncertain_units = -1`), 'uncertain_units BETWEEN 0 AND 10000000000000'],
  [
    request(`${uncertain}, uncertain_units = NULL`),
    "uncertain_units IS NOT NULL OR state <> 'uncertain'",
  ],
  [
    request(`${sent}, uncertain_units = 1`),
    "uncertain_units IS NULL OR state IN ('answered', 'uncertain')",
  ],
  [request(`${answered}, decided_at = 'now'`), 'decided_at IS NULL OR uncertain_units IS NOT NULL'],
  [decision("'maybe', 0"), "outcome IN ('charged', 'not_charged')"],
  [decision("'charged', -1"), 'cost_units BETWEEN 0 AND 10000000000000'],
  [decision("'not_charged', 1"), "outcome = 'charged' OR cost_units = 0"],
  [
    `${decision("'charged', 1")}; UPDATE provider_decision SET cost_units = 2`,
    'provider_decision_is_final',
  ],
  [`${decision("'charged', 1")}; DELETE FROM provider_decision`, 'provider_decision_never_goes'],
  [
    request(`${answered}, cost_is_reported = NULL`),
    "(cost_is_reported IS NULL) = (state <> 'answered')",
  ],
  [request(`${failed}, cost_units = 1`), "state <> 'failed' OR cost_units = 0"],
  [
    request(`${uncertain}, failure = NULL`),
    "(failure IS NULL) = (state NOT IN ('uncertain', 'failed'))",
  ],
  [
    `${request(answered)}; UPDATE provider_request SET state = 'failed'`,
    'provider_request_has_ended',
  ],
  [answer('maybe', 'NULL'), "outcome IN ('hit', 'miss', 'lost', 'uncertain')"],
  [answer('hit', "'[]'"), "json_type(answer) = 'object'"],
  [answer('hit', 'NULL'), "(answer IS NOT NULL) = (outcome = 'hit')"],
  [tally('-1, 0'), 'asked >= 0'],
  [tally('1, 2'), 'hits BETWEEN 0 AND asked'],
  [found('1, 1, -1'), 'share_units BETWEEN 0 AND 10000000000000'],
  ['UPDATE job SET uses_providers = 2', 'uses_providers IN'],
];
