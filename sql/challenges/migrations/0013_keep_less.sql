-- What had no retention: traces of changed workouts, reopenings, reported streaks, ended memberships and ended groups.
--
-- In the transaction of the other migrations, so that a pooler can be migrated through. Writers of these tables wait
-- while the indexes are built. With many rows, create the indexes before the migration, by the same statements with
-- `concurrently`: then no writer waits.

alter table setting
  -- How long refused edits, revisions of workouts and ended pauses of sharing are stored. After 90 days, a repeated
  -- call is answered by the age of its workout.
  add column revision_age interval not null default '90 days'
    check (revision_age between '90 days' and '3660 days'),
  -- How long memberships that ended and groups without members are stored.
  add column group_age interval not null default '365 days'
    check (group_age between '30 days' and '3660 days');

-- Edits that were refused before this migration get its time.
alter table refused_edit add column refused_at timestamptz not null default domain_now();

-- When the last member left; null: the group is active.
alter table groups add column ended_at timestamptz;
update groups g
set ended_at = coalesce((select max(m.left_at) from member m where m.group_id = g.id), domain_now())
where not g.is_active;
alter table groups add constraint group_ended check (is_active = (ended_at is null));

-- Retention goes from the oldest on.
create index if not exists refused_edit_age on refused_edit (refused_at);
create index if not exists workout_revision_age on workout_revision (superseded_at);
create index if not exists sharing_pause_age on sharing_pause (ended_at) where ended_at is not null;
create index if not exists reported_streak_week on reported_streak (week_start);
create index if not exists member_age on member (left_at) where left_at is not null;
create index if not exists group_age on groups (ended_at) where ended_at is not null;
-- For the foreign key, when a group is deleted.
create index if not exists reported_streak_group on reported_streak (group_id);
