-- The ledger of workouts, and what is derived from it day by day. docs/write-path.md has locks and order.

create type workout_outcome as enum (
  'accepted', 'notCounted', 'ignoredPrivacy', 'noActiveGroup', 'acceptedLate', 'expired',
  'rejected',
  -- A revision lower than the recorded one.
  'duplicate');

-- What record_workout answers.
create type workout_answer as (
  outcome workout_outcome,
  reason text,
  week_start date,
  -- The call was made before: this is the answer it got then, and nothing changed.
  is_replayed boolean
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
  -- It counts for streaks, but the board of its week was closed when it came and does not show it. By the
  -- outcome alone an edit inside a closed week let the next one move the workout to an open week, and two
  -- boards showed it.
  missed_board boolean not null default false,
  -- The revision took the workout back: it counts nowhere, and outcome and reason are those of its deletion.
  is_deleted boolean not null default false,
  primary key (user_id, workout_id)
);
create index workout_date on workout (user_id, local_date) where counted;

-- What the ledger said before each edit and deletion, so that a board can be derived as it was. A workout
-- that was never changed has no row here.
create table workout_revision (
  user_id identifier not null,
  workout_id identifier not null,
  revision integer not null,
  group_id identifier,
  performed_at timestamptz not null,
  utc_offset_s integer not null,
  local_date date not null,
  week_start date not null,
  counted boolean not null,
  outcome workout_outcome not null,
  reason text,
  missed_board boolean not null,
  is_deleted boolean not null,
  -- From when to when the ledger said so.
  received_at timestamptz not null,
  superseded_at timestamptz not null,
  primary key (user_id, workout_id, revision),
  foreign key (user_id, workout_id) references workout on delete cascade
);

-- Edits and deletions that were refused: the same call gets the same refusal, half an hour later too.
create table refused_edit (
  id bigint generated always as identity primary key,
  user_id identifier not null,
  workout_id identifier not null,
  revision integer not null,
  sent_performed_at timestamptz,
  sent_utc_offset_s integer,
  is_deletion boolean not null default false,
  reason text not null,
  -- That of the recorded workout then, as it was answered.
  week_start date not null,
  constraint refused_edit_call unique nulls not distinct
    (user_id, workout_id, revision, sent_performed_at, sent_utc_offset_s, is_deletion),
  foreign key (user_id, workout_id) references workout on delete cascade
);

-- One row for each local date with a counted workout, apart for each UTC week it lies in. `streak`
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
  streak integer not null default 0,
  primary key (user_id, group_id, local_date, week_start)
) with (fillfactor = 80);

-- Streaks that update_streak was told, where streaks come from there: the last one of a week is its value.
-- A row only where the value changed, so its time is when the value was reached.
create table reported_streak (
  user_id identifier not null references users on delete cascade,
  group_id identifier not null references groups,
  week_start date not null check (extract(isodow from week_start) = 1),
  id bigint generated always as identity,
  streak_days integer not null check (streak_days between 0 and 3650),
  reported_at timestamptz not null,
  primary key (user_id, group_id, week_start, id)
);
