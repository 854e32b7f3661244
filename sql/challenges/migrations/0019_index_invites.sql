-- Finds the joins of an invite, and the newest invites to a group, by indexes. Before, statistics about the invites of one
-- day read all usage since that day, which is up to 400 days of all groups. The list of a group's invites read all of
-- them.
--
-- The migration is in the transaction of the other migrations, so that a pooler can be migrated through. Calls that use
-- an invite wait while the indexes are built. With many rows, create the indexes before the migration, by the same
-- statements with `concurrently`: then no call waits.

create index if not exists usage_log_joined on usage_log (invite_id)
  where kind = 'group_joined' and invite_id is not null;
create index if not exists invite_newest on invite (group_id, created_at desc, id);
