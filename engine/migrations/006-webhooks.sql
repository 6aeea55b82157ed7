-- Webhooks: where events are sent, the events, how each came to each, and every attempt.

-- active → paused → active; active → off (its receiver said 410) → active. webhook.ts draws it.
CREATE TABLE webhook (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  url TEXT NOT NULL CHECK (url GLOB 'https://*' OR url GLOB 'http://*'),
  events TEXT NOT NULL CHECK (json_type(events) = 'array'),
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'off')),
  -- Sealed by the engine's key, for this row alone.
  secret BLOB NOT NULL,
  -- The secret before a rotation, which signs beside the new one until then.
  previous_secret BLOB,
  previous_until TEXT,
  created_at TEXT NOT NULL,
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
) STRICT;
CREATE INDEX webhook_account ON webhook (account_id, created_at, id);

-- An event that somebody was to hear of, as the very text that is sent and signed.
CREATE TABLE webhook_event (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('pipeline.completed', 'pipeline.failed', 'webhook.test')),
  body TEXT NOT NULL CHECK (json_type(body) = 'object'),
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The outbox: waiting → delivered | failed; either → waiting when it is sent again by hand.
CREATE TABLE webhook_delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL REFERENCES webhook_event (id),
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
  -- Attempts of this round: sending again by hand begins another.
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- When the next attempt is due; NULL once it has ended.
  due_at TEXT,
  created_at TEXT NOT NULL,
  ended_at TEXT,
  CHECK ((due_at IS NOT NULL) = (state = 'waiting')),
  CHECK ((ended_at IS NULL) = (state = 'waiting'))
) STRICT;
CREATE INDEX webhook_delivery_first ON webhook_delivery (webhook_id, id)
  WHERE state = 'waiting' AND attempts = 0;
CREATE INDEX webhook_delivery_retry ON webhook_delivery (webhook_id, due_at)
  WHERE state = 'waiting' AND attempts > 0;
CREATE INDEX webhook_delivery_listed ON webhook_delivery (webhook_id, id);
CREATE INDEX webhook_delivery_ended ON webhook_delivery (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_delivery_event ON webhook_delivery (event_id);

CREATE TABLE webhook_attempt (
  delivery_id INTEGER NOT NULL REFERENCES webhook_delivery (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  at TEXT NOT NULL,
  -- The HTTP status; NULL where none came, and `error` says why.
  status INTEGER,
  error TEXT,
  took_ms INTEGER NOT NULL CHECK (took_ms >= 0),
  -- The beginning of what the receiver answered.
  excerpt TEXT NOT NULL,
  PRIMARY KEY (delivery_id, number),
  CHECK (status IS NOT NULL OR error IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- Hosts of private networks that an account's webhooks may go to.
CREATE TABLE webhook_host (
  account_id INTEGER NOT NULL REFERENCES account (id),
  host TEXT NOT NULL CHECK (host = lower(host) AND host <> ''),
  PRIMARY KEY (account_id, host)
) STRICT, WITHOUT ROWID;

-- Where the key is that seals this file's secrets; no row until there is one.
CREATE TABLE secret_key (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  place TEXT NOT NULL CHECK (place IN ('keychain', 'file')),
  key_id TEXT NOT NULL
) STRICT;
