-- Loads, updates and undos of a team exclude each other by the lock of this row. An advisory lock
-- can be held by every login, also one that only reads.
CREATE TABLE load_lock (
  tenant_id int PRIMARY KEY DEFAULT desk_tenant()
);
