-- The authorization server: programs that asked, codes on their way, what was allowed, logins.

-- Programs that registered themselves; nothing about them is proven.
CREATE TABLE oauth_client (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL CHECK (name <> ''),
  redirect_uris TEXT NOT NULL CHECK (json_type(redirect_uris) = 'array'),
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX oauth_client_created ON oauth_client (created_at);

-- issued → used, once. oauth-code.table.ts draws it.
CREATE TABLE oauth_code (
  -- SHA-256 of the code, lower-case hex: the code itself is kept nowhere.
  hash TEXT PRIMARY KEY CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES account (id),
  redirect_uri TEXT NOT NULL,
  -- The PKCE challenge, base64url of a SHA-256.
  challenge TEXT NOT NULL CHECK (length(challenge) = 43),
  -- What the token is asked for; NULL where the client named nothing.
  resource TEXT,
  cap_day_units INTEGER CHECK (cap_day_units >= 0),
  cap_month_units INTEGER CHECK (cap_month_units >= 0),
  expires_at TEXT NOT NULL,
  used_at TEXT,
  -- The key that the code gave; a second use revokes it.
  key_id TEXT REFERENCES api_key (id),
  CHECK (key_id IS NULL OR used_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_code_expires ON oauth_code (expires_at);

CREATE TRIGGER oauth_code_is_used_once BEFORE UPDATE OF used_at ON oauth_code
WHEN OLD.used_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'code_already_used');
END;

-- Which key was given to which program.
CREATE TABLE oauth_connection (
  key_id TEXT PRIMARY KEY REFERENCES api_key (id),
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_connection_client ON oauth_connection (client_id);

-- The email and password of the login page, at most one for each account.
CREATE TABLE login (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  email TEXT NOT NULL UNIQUE CHECK (email = lower(email) AND email <> ''),
  -- scrypt$<log2 N>$<r>$<p>$<salt>$<hash>, the last two in base64url.
  password_hash TEXT NOT NULL CHECK (password_hash GLOB 'scrypt$*'),
  set_at TEXT NOT NULL
) STRICT;
