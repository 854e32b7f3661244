-- Whether this schema has never been used: only then `dev` may make it a development database. What a migration writes
-- about its jobs does not count as use. Rows: one. Locks: none.
select not exists (select from event) and not exists (select from run)
  and not exists (select from dead_run) and not exists (select from run_history)
  and not exists (select from occurrence) and not exists (select from job_activity)
