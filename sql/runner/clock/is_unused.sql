-- Checks whether this schema has never been used. The `dev` command creates a development database only from an unused
-- schema. Job definitions from a migration do not count as use. Rows: one row with a boolean that is true if the schema
-- has never been used. Locks: none.
select not exists (select from event) and not exists (select from run)
  and not exists (select from dead_run) and not exists (select from run_history)
  and not exists (select from occurrence) and not exists (select from job_activity)
