// Webhooks, deliveries and encryption keys that the schema refuses; schema.test.ts runs them.

const webhook = `INSERT INTO webhook (id, account_id, url, events, secret, created_at)
  VALUES ('w', 1, 'https://a.example/', '["pipeline.failed"]', x'00', 'now');`;
const event = `INSERT INTO webhook_event VALUES ('e', 'pipeline.failed', '{}', 'now');`;
const delivery = `${webhook}${event}
  INSERT INTO webhook_delivery (webhook_id, event_id, due_at, created_at)
  VALUES ('w', 'e', 'now', 'now');`;
const set = (changes: string) => `${webhook} UPDATE webhook SET ${changes}`;
const move = (changes: string) => `${delivery} UPDATE webhook_delivery SET ${changes}`;
const attempt = (values: string) => `${delivery} INSERT INTO webhook_attempt
  (delivery_id, number, at, status, error, took_ms, excerpt) VALUES (1, ${values})`;

/** [what, SQL, the message of the refusal], with the store that schema.test.ts fills. */
export const webhookRefusals: (readonly [what: string, sql: string, message: string])[] = [
  ['a webhook to no web address', set("url = 'ftp://a.example/'"), "url GLOB 'https://*'"],
  ['events that are no list', set("events = '{}'"), "json_type(events) = 'array'"],
  ['an unknown state of a webhook', set("state = 'gone'"), "state IN ('active', 'paused', 'off')"],
  [
    'a former secret without an end',
    set("previous_secret = x'00'"),
    '(previous_secret IS NULL) = (previous_until IS NULL)',
  ],
  [
    'an event of another kind',
    event.replace('pipeline.failed', 'job.failed'),
    "kind IN ('pipeline.completed', 'pipeline.failed', 'job.completed',\n" +
      "    'monitor.changed', 'webhook.test')",
  ],
  ['an event that is not an object', event.replace('{}', '[]'), "json_type(body) = 'object'"],
  [
    'an unknown state of a delivery',
    move("state = 'lost'"),
    "state IN ('waiting', 'delivered', 'failed')",
  ],
  ['fewer than no attempts', move('attempts = -1'), 'attempts >= 0'],
  [
    'a delivery that waits for no time',
    move('due_at = NULL'),
    "(due_at IS NOT NULL) = (state = 'waiting')",
  ],
  [
    'a delivery that waits and has ended',
    move("ended_at = 'now'"),
    "(ended_at IS NULL) = (state = 'waiting')",
  ],
  ['an attempt before the first', attempt("0, 'now', 200, NULL, 1, ''"), 'number > 0'],
  ['an attempt of less than no time', attempt("1, 'now', 200, NULL, -1, ''"), 'took_ms >= 0'],
  [
    'an attempt without a result',
    attempt("1, 'now', NULL, NULL, 1, ''"),
    'status IS NOT NULL OR error IS NOT NULL',
  ],
  [
    'an event that goes while it is on its way',
    `${delivery} DELETE FROM webhook_event`,
    'FOREIGN KEY',
  ],
  [
    'an allowed host in capitals',
    "INSERT INTO webhook_host VALUES (1, 'Intra')",
    "host = lower(host) AND host <> ''",
  ],
  ['two keys of secrets', "INSERT INTO secret_key VALUES (2, 'file', 'k')", 'only = 1'],
  [
    'a key of secrets elsewhere',
    "INSERT INTO secret_key VALUES (1, 'cloud', 'k')",
    "place IN ('keychain', 'file')",
  ],
];
