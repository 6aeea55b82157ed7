-- The tool server: answers that were paid for under an idempotency key, limits of its clients, and
-- what they did.

-- What a paying call found and what became of each value, so that a repeat is answered the same
-- whatever the directory says by then. A row comes with the charge.
CREATE TABLE tool_answer (
  -- Id of the API key, or 'app:' and the account's uuid.
  key_scope TEXT NOT NULL,
  key TEXT NOT NULL,
  -- SHA-256 of the tool and its arguments.
  fingerprint TEXT NOT NULL,
  -- JSON: what was found, before anything was paid for.
  material TEXT NOT NULL,
  -- JSON: what became of each value, and what they cost.
  report TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (key_scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX tool_answer_at ON tool_answer (at);

-- Limits of a client beside those of its key; a client without a row has none.
CREATE TABLE tool_guard (
  key_scope TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- The most that one call may cost; NULL is no limit.
  cap_call_units INTEGER CHECK (cap_call_units >= 0),
  -- A call that would cost more is asked about first; NULL never asks.
  ask_above_units INTEGER CHECK (ask_above_units >= 0)
) STRICT, WITHOUT ROWID;

-- The newest calls of an account's clients; older ones give way.
CREATE TABLE tool_call (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  key_scope TEXT NOT NULL,
  tool TEXT NOT NULL,
  -- JSON as it was sent, shortened, without anything that looks like a key.
  arguments TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused', 'failed', 'cancelled')),
  -- Why it was not done, in a sentence; '' where it was.
  detail TEXT NOT NULL,
  charged_units INTEGER NOT NULL CHECK (charged_units >= 0),
  took_ms INTEGER NOT NULL CHECK (took_ms >= 0),
  at TEXT NOT NULL
) STRICT;
CREATE INDEX tool_call_account ON tool_call (account_id, id);
CREATE INDEX tool_call_scope ON tool_call (key_scope);
