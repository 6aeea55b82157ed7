-- Pages of one status begin anywhere: how many rows of each status stand in each 64 rows of a batch
-- says where, without reading what lies before. Batches of earlier versions have none.
ALTER TABLE job_batch ADD COLUMN parts BLOB
  CHECK (parts IS NULL OR length(parts) = 3 * ((row_count + 63) / 64));
