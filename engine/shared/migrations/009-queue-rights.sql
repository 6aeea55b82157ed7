-- The right to delete rows of a table is also the right to lock the whole table. So a login of the
-- queue deletes by the key of a row, with the rights of the tables' owner, who sees every team.

CREATE FUNCTION delete_batch(job uuid, row_number int, sha256 bytea) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = desk, pg_temp
BEGIN ATOMIC
  DELETE FROM match_batch
  WHERE job_uuid = job AND first_row = row_number AND digest = sha256 AND tenant_id = desk_tenant();
END;

CREATE FUNCTION delete_answer(job uuid, row_number int, sha256 bytea) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = desk, pg_temp
BEGIN ATOMIC
  DELETE FROM match_answer
  WHERE job_uuid = job AND first_row = row_number AND digest = sha256 AND tenant_id = desk_tenant();
END;
