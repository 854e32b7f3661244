-- Who is where. docs/whosthere.md has states, locks and interleavings.

create type presence_source as enum ('manual', 'automatic');

-- Whether a user is at a group's place. A row stays when its user goes: the version goes on.
create table presence (
  -- The key of the run that checks out at the deadline.
  id bigint generated always as identity constraint presence_id unique,
  group_id identifier not null references groups,
  user_id identifier not null references users,
  is_present boolean not null,
  source presence_source not null,
  -- Since when it is so.
  since timestamptz not null,
  -- When the user is checked out without doing anything; null: never.
  deadline timestamptz,
  -- Counts the changes: of two answers the one with the higher version is right.
  version bigint not null,
  -- When the last change took effect.
  changed_at timestamptz not null,
  -- The last change that no hand made: the next one is 30 seconds behind it.
  automatic_at timestamptz,
  -- The last automatic check-in that came, whether it changed something or not.
  heard_at timestamptz not null,
  -- When the run that looks at the deadline is due; null: there is none.
  armed_at timestamptz,
  -- One position, while the user is there. Degrees and metres.
  latitude double precision,
  longitude double precision,
  accuracy double precision,
  located_at timestamptz,
  primary key (group_id, user_id),
  constraint presence_deadline check (is_present or deadline is null),
  constraint presence_position check (
    num_nulls(latitude, longitude, accuracy, located_at) in (0, 4)
    and (is_present or latitude is null))
) with (fillfactor = 80);
-- Who of a group is there, newest first.
create index presence_present on presence (group_id, since) where is_present;
-- The last position of a user, and all of a user's for accounts that go.
create index presence_user on presence (user_id);
-- Those whom nobody has heard of for long, from the oldest on.
create index presence_silent on presence (heard_at) where is_present and source = 'automatic';

-- The first one of a group on one of its dates: whoever inserts the row is it.
create table first_arrival (
  id bigint generated always as identity constraint first_arrival_id unique,
  group_id identifier not null references groups,
  -- The group's, by its zone at that moment.
  local_date date not null,
  -- Null: the account is gone; the date is taken all the same.
  user_id identifier references users,
  arrived_at timestamptz not null,
  primary key (group_id, local_date)
);
create index first_arrival_user on first_arrival (user_id) where user_id is not null;

-- One stay at a group's place.
create table visit (
  id bigint generated always as identity primary key,
  user_id identifier not null references users,
  group_id identifier not null references groups,
  arrival timestamptz not null,
  -- Null: the user is there.
  departure timestamptz,
  -- The group's date of the arrival, which no later change of its zone moves.
  local_date date not null,
  is_first boolean not null,
  constraint visit_times check (departure >= arrival)
) with (fillfactor = 90);
create index visit_user on visit (user_id, group_id);
-- The one that lasts.
create unique index visit_open on visit (group_id, user_id) where departure is null;

-- A command of a phone or a watch: again, it is answered as it was and changes nothing.
create table presence_command (
  user_id identifier not null references users,
  id uuid not null,
  group_id identifier not null references groups,
  action text not null check (action in ('checkIn', 'checkOut')),
  source presence_source not null,
  -- When it was asked for, by the device's clock.
  asked_at timestamptz not null,
  stay integer check (stay between 1 and 604800),
  outcome text not null check (
    outcome in ('accepted', 'throttled', 'overridden', 'outside', 'implausible', 'unchanged')),
  answered_at timestamptz not null,
  primary key (user_id, id)
);
create index presence_command_age on presence_command (answered_at);

-- Who is at a group's place, in a line, written by a job: as right as the last presence that it has seen.
create table group_summary (
  group_id identifier primary key references groups,
  present_count integer not null check (present_count >= 0),
  -- The group's date for which first_user is; on the next one nobody has come yet.
  first_date date,
  first_user identifier,
  -- Who came last, newest first.
  latest text[] not null check (cardinality(latest) <= 5),
  version bigint not null,
  changed_at timestamptz not null
) with (fillfactor = 80);

-- How long the answers to commands are kept.
alter table setting add column command_age interval not null default '30 days' check (command_age > '0');

-- A command as an app sends it.
create type presence_call as (
  id uuid,
  group_id text,
  action text,
  source text,
  device text,
  asked_at timestamptz,
  -- Seconds until the user is checked out; null: never.
  stay integer,
  latitude double precision,
  longitude double precision,
  accuracy double precision,
  located_at timestamptz
);

-- What a command answers: what was done, and the user's presence now, null where they were never there.
create type presence_answer as (
  outcome text,
  is_replayed boolean,
  group_id text,
  user_id text,
  is_present boolean,
  source text,
  since timestamptz,
  deadline timestamptz,
  version bigint,
  changed_at timestamptz
);
