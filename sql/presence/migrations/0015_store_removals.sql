-- Stores that an admin removed a member independently of the admin's id, which is deleted with the admin's account.
-- Before, a removed user could then join a public group again. Removals by accounts that were already deleted cannot be
-- restored. The new index on presences lets the `end-stale-presences` job find deadlines that have passed.
--
-- The migration is in the transaction of the other migrations, so that a pooler can be migrated through. Calls that
-- read or change memberships or presences wait until the index is built. With many presences, create the index before
-- the migration, by the same statement with `concurrently`. The calls then wait only for the new column.

alter table member add column is_removed boolean not null default false;
update member set is_removed = true where removed_by is not null;
alter table member add constraint member_is_removed check (
  (left_at is not null or not is_removed) and (is_removed or removed_by is null));

create index if not exists presence_due on presence (deadline) where deadline is not null;

-- The function has other parameters.
drop function if exists reread_groups(text, text);
