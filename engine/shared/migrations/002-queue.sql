-- Rows that engines want to be matched, and the answers of workers. The engine that wrote a batch
-- deletes it and its answer once it has committed the results.

CREATE TABLE match_batch (
  job_uuid uuid NOT NULL,
  first_row int NOT NULL,
  -- SHA-256 of what is asked: a batch with other rows at the same place is another batch.
  digest bytea NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  -- The format that the engine reads and writes: workers take batches of their own.
  format int NOT NULL,
  mapping jsonb NOT NULL,
  threshold double precision NOT NULL,
  -- Lines of CSV with the recognised fields of the rows.
  rows bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job_uuid, first_row, digest)
);
CREATE INDEX match_batch_order ON match_batch (created_at);

CREATE TABLE match_answer (
  job_uuid uuid NOT NULL,
  first_row int NOT NULL,
  digest bytea NOT NULL,
  tenant_id int NOT NULL DEFAULT desk_tenant(),
  generation bigint NOT NULL,
  worker text NOT NULL,
  -- The columns of the answer (answer-bytes.ts); NULL if the worker could not match the rows.
  answer bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job_uuid, first_row, digest)
);
CREATE INDEX match_answer_order ON match_answer (created_at);
