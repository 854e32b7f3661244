-- Checks whether this schema contains no user data, because only then may a replay make it a development schema. Rows
-- that migrations and workers write about themselves do not count. Runs that schedules create before the first user do
-- not count either. A schema with a development clock is in use by a developer, so it is not empty. Rows: one row.
-- Locks: none.
select not exists (select from development) and not exists (select from groups)
  and not exists (select from users) and not exists (select from workout)
  and not exists (select from event where key <> 'scheduled')
  and not exists (select from run where key <> 'scheduled') and not exists (select from dead_run)
