// Webhooks, deliveries and encryption keys that the schema refuses; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

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

export const webhookRefusals: readonly Refusal[] = [
  [set("url = 'ftp://a.example/'"), "url GLOB 'https://*'"],
  [set("events = '{}'"), "json_type(events) = 'array'"],
  [set("state = 'gone'"), "state IN ('active', 'paused', 'off')"],
  [set("previous_secret = x'00'"), '(previous_secret IS NULL) = (previous_until IS NULL)'],
  [
    event.replace('pipeline.failed', 'job.failed'),
    "kind IN ('pipeline.completed', 'pipeline.failed', 'job.completed',\n" +
      "    'monitor.changed', 'webhook.test')",
  ],
  [event.replace('{}', '[]'), "json_type(body) = 'object'"],
  [move("state = 'lost'"), "state IN ('waiting', 'delivered', 'failed')"],
  [move('attempts = -1'), 'attempts >= 0'],
  [move('due_at = NULL'), "(due_at IS NOT NULL) = (state = 'waiting')"],
  [move("ended_at = 'now'"), "(ended_at IS NULL) = (state = 'waiting')"],
  [attempt("0, 'now', 200, NULL, 1, ''"), 'number > 0'],
  [attempt("1, 'now', 200, NULL, -1, ''"), 'took_ms >= 0'],
  [attempt("1, 'now', NULL, NULL, 1, ''"), 'status IS NOT NULL OR error IS NOT NULL'],
  [`${delivery} DELETE FROM webhook_event`, 'FOREIGN KEY'],
  ["INSERT INTO webhook_host VALUES (1, 'Intra')", "host = lower(host) AND host <> ''"],
  ["INSERT INTO secret_key VALUES (2, 'file', 'k')", 'only = 1'],
  ["INSERT INTO secret_key VALUES (1, 'cloud', 'k')", "place IN ('keychain', 'file')"],
];
