-- Whether this Baton holds nothing of anybody: then a replay may make it a development one.
-- Rows: one. Locks: none. What migrations and workers write about themselves does not count, nor
-- what schedules wake where there is nobody yet. A clock that runs is of somebody who develops.
select not exists (select from development) and not exists (select from groups)
  and not exists (select from users) and not exists (select from workout)
  and not exists (select from event where key <> 'scheduled')
  and not exists (select from run where key <> 'scheduled') and not exists (select from dead_run)
