-- What is counted by day beside the ledger: groups and invites, what phones report, workouts that were refused.
-- docs/analytics.md has what each means.

alter table setting
  -- How long what is counted here is kept.
  add column analytics_age interval not null default '400 days' check (analytics_age >= '1 day'),
  -- Events that one user's phones may report on one UTC day.
  add column client_events_a_day integer not null default 200 check (client_events_a_day >= 0),
  -- The share of users, in percent, for whom is_beta is true.
  add column beta_share integer not null default 0 check (beta_share between 0 and 100);

create type usage_kind as enum (
  'group_created', 'group_joined', 'invite_created', 'invite_previewed');

-- What happened to groups and invites. Only inserted into, so that no two calls meet here. Groups and invites
-- may be gone before it: nothing refers to them.
create table usage_log (
  id bigint generated always as identity primary key,
  recorded_at timestamptz not null,
  kind usage_kind not null,
  group_id text collate "C" not null,
  -- Null: the account is gone.
  user_id identifier references users on delete set null,
  -- Null: without one, by the server or a link from before there were invites.
  invite_id uuid
);
create index usage_log_time on usage_log (recorded_at);
create index usage_log_user on usage_log (user_id) where user_id is not null;
-- Who looks at an invite again is no second one who looked.
create unique index usage_log_preview on usage_log (invite_id, user_id)
  where kind = 'invite_previewed';

create type client_event_kind as enum ('write_failed', 'link_failed', 'board_fetched');

-- What phones report of themselves.
create table client_event (
  number bigint generated always as identity primary key,
  -- The phone's own: the same call again counts once.
  id uuid not null,
  -- Null: the account is gone.
  user_id identifier references users on delete set null,
  kind client_event_kind not null,
  -- How long a board_fetched took, in milliseconds.
  milliseconds integer check (milliseconds between 0 and 600000),
  recorded_at timestamptz not null,
  constraint client_event_call unique (user_id, id),
  constraint client_event_time check ((kind = 'board_fetched') = (milliseconds is not null))
);
create index client_event_day on client_event (user_id, recorded_at);
create index client_event_age on client_event (recorded_at);

-- Workouts that were not recorded because their user does not share them: the UTC day on which they came, and
-- nothing else. A row each, because with a counter one call would wait for another; retention makes one a day.
create table ignored_workout (
  id bigint generated always as identity primary key,
  day date not null,
  workouts integer not null default 1 check (workouts > 0)
);
create index ignored_workout_day on ignored_workout (day);
