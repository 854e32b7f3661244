-- What had no retention: visits, first arrivals, streaks, anonymous users without a session, ended memberships and ended
-- groups.
--
-- In the transaction of the other migrations, so that a pooler can be migrated through. Writers of these tables wait
-- while the indexes are built. With many rows, create the indexes before the migration, by the same statements with
-- `concurrently`: then no writer waits.

alter table setting
  -- How long visits, first arrivals and past streaks are stored. The numbers in user_stats stay.
  add column visit_age interval not null default '30 days' check (visit_age between '7 days' and '3660 days'),
  -- How long an anonymous user is stored without a session and without any other activity.
  add column anonymous_age interval not null default '90 days' check (anonymous_age between '30 days' and '3660 days'),
  -- How long memberships that ended and groups without members are stored.
  add column group_age interval not null default '365 days' check (group_age between '30 days' and '3660 days');

-- Of an anonymous user: the last activity or the end of the last session, as far as it is known. Null: nothing is known
-- that is younger than the user. retention looks again when this is too old.
alter table users add column active_until timestamptz;

-- When the last member left; null: the group is active.
alter table groups add column ended_at timestamptz;
update groups g
set ended_at = coalesce((select max(m.left_at) from member m where m.group_id = g.id), domain_now())
where not g.is_active;
alter table groups add constraint group_ended check (is_active = (ended_at is null));

-- No index of these tables begins with the group, so each deletion of a group would read all of their rows. The rows
-- have ages of their own, and no call writes one for a group that has ended.
alter table visit drop constraint visit_group_id_fkey;
alter table presence_command drop constraint presence_command_group_id_fkey;
alter table message_bucket drop constraint message_bucket_group_id_fkey;

-- Retention goes from the oldest on.
create index if not exists visit_age on visit (departure) where departure is not null;
create index if not exists first_arrival_age on first_arrival (arrived_at);
create index if not exists visit_streak_age on visit_streak (ends);
create index if not exists users_idle on users ((coalesce(active_until, created_at))) where is_anonymous;
create index if not exists member_age on member (left_at) where left_at is not null;
create index if not exists group_age on groups (ended_at) where ended_at is not null;
-- For the foreign key, when a group is deleted.
create index if not exists invite_group on invite (group_id);

-- merge_stats adds up the statistics instead, because visits are deleted.
drop function if exists count_stats(text);
