-- Who is in which group, and what an operator can set.

create type auth_provider as enum ('apple', 'google', 'email');

create type rank_policy as enum ('competition', 'unique', 'dense');
-- Which streak of a week its board shows: the longest one, the last one, or the longest one of workouts
-- inside the week alone.
create type streak_policy as enum ('peak', 'lastRun', 'weekOnly');
-- Where streaks come from: derived of workouts, or told by update_streak.
create type streak_source as enum ('ledger', 'reported');

-- An identity compares by bytes, fits an index and prints on one line.
create domain identifier as text collate "C"
  check (octet_length(value) between 1 and 256 and value !~ '[\x01-\x1f\x7f]');

create table setting (
  singleton boolean primary key default true check (singleton),
  -- How long after its end a week still takes workouts performed before it.
  grace interval not null default '10 minutes' check (grace between '0' and '12 hours'),
  -- Check-ins that count on one local date; 0: all.
  max_checkins_per_day integer not null default 0 check (max_checkins_per_day >= 0),
  check_ins_rank rank_policy not null default 'competition',
  streak_rank rank_policy not null default 'competition',
  -- Both are to be changed between two weeks: a board follows with the next workout of each member.
  streak_policy streak_policy not null default 'peak',
  streak_source streak_source not null default 'ledger',
  -- Whether boards also list members without a workout, ranked last.
  include_zero boolean not null default false,
  -- How long a notification is kept; it is shown for 7 days. Sixteen partitions hold 14 days and two.
  notification_age interval not null default '7 days'
    check (notification_age between '7 days' and '14 days'),
  -- How long a board is kept after its week ended. No workout older than 7 days reaches a board.
  board_age interval not null default '90 days' check (board_age >= '7 days'),
  -- The least time between two notifications about one board to one member; 0: none.
  rank_change_cooldown interval not null default '0' check (rank_change_cooldown >= '0'),
  -- The most notifications of changed ranks to one member in 24 hours; 0: any number.
  rank_change_daily_cap integer not null default 0 check (rank_change_daily_cap >= 0),
  -- How long an invite can be used.
  invite_age interval not null default '14 days'
    check (invite_age > '0' and invite_age <= '366 days'),
  -- Invites that are not there which one user may try in an hour.
  invite_attempts integer not null default 20 check (invite_attempts > 0),
  -- Whether a group's id does as an invite to it, as in links from before there were invites.
  legacy_invites boolean not null default false
);
insert into setting default values;

-- An occurrence of close-week fires when the grace is over.
insert into schedule_delay (job, delay) select 'close-week', grace from setting;

-- Plural, like groups: `user` and `group` are words of SQL.
create table users (
  id identifier primary key,
  display_name text not null,
  -- The name is one that was made up: the app asks for another.
  asks_for_name boolean not null default false,
  -- As the provider says; some hide it.
  email text,
  photo_url text,
  -- The one that the account was made with.
  auth_provider auth_provider not null default 'email',
  -- An IANA name; null: UTC. One that the server does not know, or that is further from UTC than a workout
  -- may be, would make every later call of its user fail.
  time_zone text constraint users_time_zone check (
    time_zone ~ '^[A-Za-z0-9_/+-]{1,64}$'
    and extract(epoch from timestamptz '2020-01-15 00:00Z' at time zone time_zone
      - timestamp '2020-01-15 00:00') between -43200 and 50400
    and extract(epoch from timestamptz '2020-07-15 00:00Z' at time zone time_zone
      - timestamp '2020-07-15 00:00') between -43200 and 50400),
  time_zone_changed_at timestamptz,
  shares_workouts boolean not null default true,
  -- When the user last agreed to share workouts: with the account, or by switching it on again.
  consented_at timestamptz not null default domain_now(),
  -- There are rows of sharing_pause.
  has_paused boolean not null default false,
  -- Counts the changes of name, photo, zone and sharing, for the calls that wait for one.
  version integer not null default 0,
  created_at timestamptz not null default domain_now()
);

-- When a user did not share workouts: what was performed then never counts, also when it is sent later.
create table sharing_pause (
  user_id identifier not null references users on delete cascade,
  began_at timestamptz not null,
  -- Null: still.
  ended_at timestamptz check (ended_at >= began_at),
  primary key (user_id, began_at)
);

create table groups (
  id identifier primary key,
  name text not null,
  max_members integer not null default 10 check (max_members between 1 and 1000),
  -- Counted by the triggers on member, so that the check below is the cap, whoever writes.
  member_count integer not null default 0
    constraint group_full check (member_count between 0 and max_members),
  is_active boolean not null default true,
  created_at timestamptz not null default domain_now(),
  -- Null: made by the operator.
  created_by identifier references users,
  -- Who deleted it, so that the same call again is answered as the first was.
  deleted_by identifier references users,
  constraint group_inactive check (is_active or member_count = 0)
);
-- For accounts that go.
create index group_creator on groups (created_by) where created_by is not null;
create index group_deleter on groups (deleted_by) where deleted_by is not null;

create table member (
  group_id identifier not null references groups,
  user_id identifier not null references users,
  role text not null default 'member' check (role in ('admin', 'member')),
  -- The first time: whoever comes back goes on with the same membership.
  joined_at timestamptz not null,
  left_at timestamptz,
  -- Counts the calls that went ahead: whoever records a workout rewrites this row first, so two
  -- of one member happen one after the other, and REPEATABLE READ gets 40001, never a lost count.
  calls bigint not null default 0,
  -- A muted member is not told of changed ranks in this group.
  is_muted boolean not null default false,
  -- Whether `membership` has to be asked which times it was: there are gaps, or it has ended.
  has_left boolean not null default false,
  -- The version of the user that is the least to be read with this row: a call that waited for a change of
  -- the user has read the user as it was before. docs/write-path.md
  user_version integer not null default 0,
  primary key (group_id, user_id)
) with (fillfactor = 80);
create index member_user on member (user_id);

-- One active group a user: the primary key says so. The triggers on member make these rows and remove
-- them, and those on this table refuse whatever does not fit.
create table active_group (
  user_id identifier primary key,
  group_id identifier not null,
  foreign key (group_id, user_id) references member
);
