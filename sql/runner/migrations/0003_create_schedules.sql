-- Schedules. docs/schedules.md has the rules and the interleavings.

-- What of time wakes a job. All instants are domain time. Written by `define`, moved by whoever
-- fires; a row is a schedule that some binary has defined, and is fired as it stands here.
create table schedule (
  job text collate "C" not null,
  -- What tells it from others of the job; '': the one without a name.
  name text collate "C" not null default '',
  -- A cron expression and its time zone, or `every N s` and null.
  expression text not null,
  time_zone text,
  missed text not null check (missed in ('skip', 'once', 'all')),
  -- What each run carries besides the time of its occurrence; null: nothing.
  payload jsonb,
  -- The occurrence that is fired next, by its own time; null: there is none any more.
  next_at timestamptz,
  last_at timestamptz,
  last_fired_at timestamptz,
  paused_at timestamptz,
  -- Which clock next_at was computed by: a development clock says nothing about the server's.
  in_development boolean not null,
  primary key (job, name)
);

-- Which occurrences were dealt with: whoever fires, each of them is recorded once.
create table occurrence (
  job text collate "C" not null,
  -- The schedule's.
  name text collate "C" not null default '',
  scheduled_at timestamptz not null,
  fired_at timestamptz not null,
  outcome text not null check (outcome in ('fired', 'skipped', 'backfilled')),
  primary key (job, name, scheduled_at)
);

-- By how much the occurrences of a job's schedules fire after their time. Written by whoever knows; none means at once.
create table schedule_delay (
  job text collate "C" primary key,
  delay interval not null check (delay >= '0')
);
