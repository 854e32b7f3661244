-- The boards. Entries are facts that the API's calls write; standings are ranks that only workers write,
-- so no worker ever locks a row that a user writes.

create type challenge_type as enum ('check-ins', 'streak');
create type challenge_state as enum ('open', 'closed', 'cancelled');

-- The Monday of an instant's week in UTC.
create function week_of(instant timestamptz) returns date
language sql immutable parallel safe
return date_trunc('week', instant at time zone 'UTC')::date;

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
  -- An operator's reopening holds off the close until then.
  reopened_until timestamptz,
  constraint challenge_board unique (group_id, week_start, type)
);
-- Boards that are not final, oldest week first.
create index challenge_open on challenge (week_start, group_id) where state = 'open';
-- Final boards, for retention. By group, because a group's boards are closed together and its entries
-- lie beside each other.
create index challenge_final on challenge (week_start, group_id) where state <> 'open';

-- Without a foreign key to its board: the triggers keep that promise a statement at a time. The key looked
-- for entries once for each board that retention removes, a quarter of that purge, and locked on behalf of
-- each new entry a board that the board fence locks anyway. docs/write-path.md has the interleavings.
create table entry (
  challenge_id uuid not null,
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
  -- What the member was told last, because the same job reads the row anyway. Null until the member was
  -- first seen by the job that tells ranks; written by it alone, under the publish lock. Publishing writes
  -- the other columns and keeps these. docs/decisions/0012-told-ranks-stand-in-standings.md has reasons.
  told_rank integer,
  -- The value it was told with, and when.
  told_value integer,
  told_at timestamptz,
  -- The unread notification that said so, and the rank that it counts from.
  notification_created_at timestamptz,
  notification_id bigint,
  notification_from integer,
  primary key (challenge_id, user_id)
) with (fillfactor = 70);

-- The publish lock: one row a board, made with it, which whoever publishes locks before it reads entries.
create table board_version (
  challenge_id uuid primary key,
  rank_version bigint not null default 0,
  -- Whether members were told of the last published ranks. A flag and not a second version: it
  -- changes once between two evaluations, so further publishing stays HOT.
  is_told boolean not null default false
) with (fillfactor = 70);
create index board_version_untold on board_version (challenge_id) where not is_told;
