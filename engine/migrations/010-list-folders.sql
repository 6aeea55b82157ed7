-- Folders from which a person lets assistants have lists enriched; none unless they are named.
CREATE TABLE list_folder (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account (id),
  -- As the person wrote it, absolute.
  path TEXT NOT NULL CHECK (path <> ''),
  -- Where it led when it was allowed: a file must really lie in here.
  real_path TEXT NOT NULL CHECK (real_path <> ''),
  added_at TEXT NOT NULL,
  UNIQUE (account_id, path)
) STRICT;
