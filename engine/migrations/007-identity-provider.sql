-- The identity provider (OpenID Connect) of the login page, at most one for each account.
CREATE TABLE identity_provider (
  account_id INTEGER PRIMARY KEY REFERENCES account (id),
  issuer TEXT NOT NULL CHECK (issuer GLOB 'https://?*' OR issuer GLOB 'http://?*'),
  client_id TEXT NOT NULL CHECK (client_id <> ''),
  -- Sealed by the engine's key for this row alone; NULL where the client has no secret.
  client_secret BLOB CHECK (length(client_secret) > 37),
  -- Who may let programs in; one at least.
  emails TEXT NOT NULL CHECK (json_type(emails) = 'array' AND emails = lower(emails)),
  subjects TEXT NOT NULL CHECK (json_type(subjects) = 'array'),
  set_at TEXT NOT NULL,
  CHECK (json_array_length(emails) + json_array_length(subjects) > 0)
) STRICT;
