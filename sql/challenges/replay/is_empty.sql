-- Whether this schema contains no data of any user. Only then may a replay make it a development schema. Rows: one.
-- Locks: none. Rows that migrations and workers write about themselves do not count, nor do runs that schedules create
-- before there are users. A schema with a development clock is in use by a developer, so it is not empty.
select not exists (select from development) and not exists (select from groups)
  and not exists (select from users) and not exists (select from workout)
  and not exists (select from event where key <> 'scheduled')
  and not exists (select from run where key <> 'scheduled') and not exists (select from dead_run)
