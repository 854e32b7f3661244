-- Checks whether this schema contains no user data. Only an empty schema may become the development schema of a replay.
-- Rows that migrations and workers write about themselves do not count as user data. The events and runs of schedules
-- also do not count. A schema with a development clock does not count as empty. Rows: one row with a boolean that is
-- true if the schema is empty. Locks: none.
select not exists (select from development) and not exists (select from groups)
  and not exists (select from users) and not exists (select from workout)
  and not exists (select from event where key <> 'scheduled')
  and not exists (select from run where key <> 'scheduled') and not exists (select from dead_run)
