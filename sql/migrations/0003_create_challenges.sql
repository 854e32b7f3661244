-- The challenges: who is in which group, the ledger of workouts, the boards and their standings.
-- Entries are facts that the API's calls write; standings are ranks that only workers write, so
-- no worker ever locks a row that a user writes.

create type challenge_type as enum ('check-ins', 'streak');
create type challenge_state as enum ('open', 'closed', 'cancelled');
create type rank_policy as enum ('competition', 'unique', 'dense');
create type workout_outcome as enum (
  'accepted', 'notCounted', 'ignoredPrivacy', 'noActiveGroup', 'acceptedLate', 'expired',
  'rejected');

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
  streak_rank rank_policy not null default 'competition'
);
insert into setting default values;

-- Plural, like groups: `user` and `group` are words of SQL.
create table users (
  id identifier primary key,
  display_name text not null,
  photo_url text,
  -- An IANA name; null: UTC.
  time_zone text,
  time_zone_changed_at timestamptz,
  shares_workouts boolean not null default true,
  created_at timestamptz not null default domain_now()
);

create table groups (
  id identifier primary key,
  name text not null,
  max_members integer not null default 10 check (max_members > 0),
  member_count integer not null default 0 check (member_count between 0 and max_members),
  is_active boolean not null default true,
  created_at timestamptz not null default domain_now()
);

create table member (
  group_id identifier not null references groups,
  user_id identifier not null references users,
  role text not null default 'member' check (role in ('admin', 'member')),
  joined_at timestamptz not null,
  left_at timestamptz,
  -- Counts the calls that went ahead: whoever records a workout rewrites this row first, so two
  -- of one member happen one after the other, and REPEATABLE READ gets 40001, never a lost count.
  calls bigint not null default 0,
  primary key (group_id, user_id)
) with (fillfactor = 80);

-- One active group a user: the primary key says so.
create table active_group (
  user_id identifier primary key references users,
  group_id identifier not null references groups
);

-- The ledger. Everything a board shows is derived from it.
create table workout (
  user_id identifier not null references users,
  workout_id identifier not null,
  -- What the client sent: the same again is a retry, anything else a conflict or an edit.
  sent_performed_at timestamptz,
  sent_utc_offset_s integer,
  revision integer not null,
  group_id identifier,
  performed_at timestamptz not null check (isfinite(performed_at)),
  utc_offset_s integer not null check (utc_offset_s between -43200 and 50400),
  local_date date not null,
  week_start date not null check (extract(isodow from week_start) = 1),
  counted boolean not null,
  outcome workout_outcome not null,
  reason text,
  received_at timestamptz not null,
  primary key (user_id, workout_id)
);
create index workout_date on workout (user_id, local_date) where counted;

-- One row for each local date with a counted workout, apart for each UTC week it lies in. `run`
-- is the streak that ends here as its week sees it: ten years of history cost one row to read.
create table workout_day (
  user_id identifier not null,
  group_id identifier not null,
  local_date date not null,
  week_start date not null,
  workouts integer not null check (workouts > 0),
  first_at timestamptz not null,
  first_offset_s integer not null,
  last_at timestamptz not null,
  last_offset_s integer not null,
  run integer not null default 0,
  primary key (user_id, group_id, local_date, week_start)
) with (fillfactor = 80);

create table challenge (
  id uuid primary key,
  group_id identifier not null references groups,
  week_start date not null check (extract(isodow from week_start) = 1),
  type challenge_type not null,
  state challenge_state not null default 'open',
  starts_at timestamptz generated always as ((week_start::timestamp) at time zone 'UTC') stored,
  ends_at timestamptz
    generated always as ((week_start::timestamp + interval '7 days') at time zone 'UTC') stored,
  created_at timestamptz not null default domain_now(),
  closed_at timestamptz,
  constraint challenge_board unique (group_id, week_start, type)
);

create table entry (
  challenge_id uuid not null references challenge,
  user_id identifier not null,
  value integer not null check (value >= 0),
  reached_at timestamptz not null,
  joined_at timestamptz not null,
  display_name text not null,
  photo_url text,
  hidden boolean not null default false,
  last_updated timestamptz not null,
  primary key (challenge_id, user_id)
) with (fillfactor = 70);

-- Written only by workers, hence without foreign keys to rows that users write.
create table standing (
  challenge_id uuid not null,
  user_id identifier not null,
  value integer not null,
  rank integer not null check (rank > 0),
  position integer not null check (position > 0),
  display_name text not null,
  photo_url text,
  last_updated timestamptz not null,
  primary key (challenge_id, user_id)
) with (fillfactor = 70);

-- The publish lock: one row a board, which whoever publishes locks before it reads the entries.
create table publication (
  challenge_id uuid primary key,
  rank_version bigint not null default 0
) with (fillfactor = 70);

-- The rank each member was last told, the baseline of the next notice.
create table told_rank (
  challenge_id uuid not null,
  user_id identifier not null,
  rank integer not null check (rank > 0),
  primary key (challenge_id, user_id)
) with (fillfactor = 70);

create view leaderboard as
select c.group_id, c.week_start, c.type, s.challenge_id, s.user_id, s.display_name, s.photo_url,
  s.value, s.rank, s.position, s.last_updated
from standing s
join challenge c on c.id = s.challenge_id;

-- The same id whoever creates the board: version 8 UUID from a sha256 over type, day and group.
-- Type and day come first and hold no `/`, so two boards never share a text.
create function challenge_id(group_id text, week_start date, type challenge_type) returns uuid
language sql immutable parallel safe
return (
  select encode(
    set_byte(set_byte(h, 6, (get_byte(h, 6) & 15) | 128), 8, (get_byte(h, 8) & 63) | 128), 'hex'
  )::uuid
  from (
    select substr(sha256(convert_to(
      type || '/' || (week_start - date '1970-01-01') || '/' || group_id, 'UTF8')), 1, 16) as h
  ) digest
);
