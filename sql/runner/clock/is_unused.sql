-- Whether nobody has used this schema yet: then `dev` may make it a development one.
-- Rows: one. Locks: none. What a migration writes about its jobs does not count.
select not exists (select from event) and not exists (select from run)
  and not exists (select from dead_run) and not exists (select from run_history)
  and not exists (select from occurrence) and not exists (select from job_activity)
