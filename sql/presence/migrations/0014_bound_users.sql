-- Limits the commands of one user, and finds the current and former memberships of a user by one index. Before, deleting
-- an account read the memberships of all users three times, because the two indexes of current and of former
-- memberships cannot answer a query about both. The check of the foreign key is such a query, too.
--
-- Calls that read or change memberships or settings wait until the index is built, because the migration also drops an
-- index and adds a column. If `member` has many rows, create the index before the migration, by the same statement with
-- `concurrently`. The calls then wait only for the drop of the index and for the new column.

create index if not exists member_of_user on member (user_id);
-- The export of a user's data finds former memberships by the new index.
drop index if exists member_former;

-- The commands that one user may send in an hour, to all groups. Each command stores a row.
alter table setting
  add column commands_an_hour integer not null default 3600 check (commands_an_hour between 1 and 100000);
create index if not exists presence_command_recent on presence_command (user_id, answered_at);
