-- Whether this Baton holds nothing of anybody: then a replay may make it a development one.
-- Rows: one. Locks: none. What migrations and workers write about themselves does not count.
select not exists (select from groups) and not exists (select from users)
  and not exists (select from workout) and not exists (select from event)
  and not exists (select from run) and not exists (select from dead_run)
