-- The queue: an event log that is only appended to, the runs folded from it, and who works them.
-- docs/queue.md has the states, the locks and the interleavings.

-- What this database knows of each job; written by `migrate` and by workers when they start, so
-- that the fold is pure SQL and an old worker folds the events of a newer one's jobs too.
create table job (
  name text collate "C" primary key,
  -- Of the events that wake it.
  topics text[] collate "C" not null default '{}',
  quiet interval not null check (quiet >= '0'),
  at_most interval not null check (at_most >= quiet),
  -- Of a debounce with a leading edge: at most one run of a key in this time, the first at once; null: of another.
  every interval check (every > '0'),
  -- Since when no worker claims its runs; events are folded all the same.
  paused_at timestamptz,
  -- Whether its runs leave a row behind when they end, done or dead.
  keeps_history boolean not null default false,
  -- Whether its keys are of a type of the job's: a call without a key would make one that it cannot read.
  needs_key boolean not null default false,
  -- Whether it asks for the payloads of all events; else the newest counts.
  keeps_payloads boolean not null default false,
  -- Whether payloads are changes of rows, of which several make one; else the newest counts.
  joins_changes boolean not null default false,
  -- 1 goes first, 9 last: of its own runs, and of what a worker could do.
  priority smallint not null default 5 check (priority between 1 and 9),
  -- All that its runs have or had, in order: a claim looks for each.
  priorities smallint[] not null default '{5}'
);

-- What holds for a job over all workers. What runs is counted in `run`; none here means no limit, and that a
-- claim asks for no turn.
create table job_limit (
  job text collate "C" primary key,
  -- How many of its runs run at once, and how many of a group; null: any number.
  concurrency integer check (concurrency > 0),
  group_concurrency integer check (group_concurrency > 0),
  -- What a group is: a field of the payload, or a part of the key, counted from 1.
  group_field text,
  group_separator text,
  group_part integer check (group_part > 0),
  -- One start in so much time; and as many at once, where none was for long enough.
  start_interval interval check (start_interval > '0'),
  burst integer check (burst > 0),
  -- When a burst is possible again: each start moves it by an interval. Not a counter that somebody has to
  -- count down: it is written by the claim that starts, and whoever dies later has started. Null: none started.
  rested_at timestamptz,
  check ((start_interval is null) = (burst is null)),
  check ((group_separator is null) = (group_part is null))
);

-- Three segments, written in turn; a used-up segment is truncated, never deleted row by row.
-- The log is read by transaction id over all of them, so a segment is storage and nothing else.
create table event_0 (
  id bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  topic text collate "C" not null,
  -- A key that no index can hold would stop every fold, and with it all jobs: whoever records an event
  -- in a trigger of their own meets this in the transaction that writes.
  key text collate "C" not null constraint event_key check (octet_length(key) between 1 and 256),
  payload jsonb,
  recorded_at timestamptz not null default pg_catalog.now(),
  -- Of a call of `enqueue` alone: the id that it returned, the domain time that it asked for, and whether
  -- it takes the place of all that was asked for before it.
  run_id bigint,
  run_at timestamptz,
  replaces boolean,
  -- Which of the job's runs it goes before; null: as the job says.
  priority smallint,
  -- Of a write of a job's own work to a table that wakes a job: how many runs led to it, two digits, and their
  -- jobs; null: none, somebody else's write.
  origin text collate "C",
  -- The W3C traceparent that the transaction has set, as it stands there: what is none, the fold passes over, for
  -- no write may fail for the sake of a trace. Never more of it than a traceparent has.
  trace text collate "C" default nullif(left(current_setting('baton.traceparent', true), 55), '')
);
create index event_0_xact on event_0 (xact);
create table event_1 (like event_0 including all);
create table event_2 (like event_0 including all);

-- The segment that writers append to. Apart from the cursor, because every write reads it and a row
-- that each fold rewrites would grow a chain of versions while an old transaction stays open.
create table event_segment (
  singleton boolean primary key default true check (singleton),
  current smallint not null check (current between 0 and 2),
  rotated_at timestamptz not null default pg_catalog.now(),
  -- Whether a worker listens, so that a write may wake it; kept by workers.
  has_listener boolean not null default false,
  -- Whether writes may wake workers at all: for who runs the database to say.
  may_wake boolean not null default true
);
insert into event_segment (current) values (0);

-- The row that whoever folds locks; it is never rewritten.
create table event_cursor (
  singleton boolean primary key default true check (singleton)
);
insert into event_cursor default values;

-- Up to where the log is folded: what `snapshot` sees is folded, what it does not see is not.
-- Transaction ids mean nothing in another cluster, so the position carries the cluster's identity; and the
-- transaction that set it, which the row's own xmin repeats until the row is restored from a dump. A cluster
-- may get a log back that was elsewhere meanwhile: see own_position.
create table event_position (
  id bigint generated always as identity primary key,
  snapshot pg_snapshot not null,
  epoch bigint not null,
  set_by xid8 not null default pg_current_xact_id()
);
insert into event_position (snapshot, epoch, set_by)
select pg_current_snapshot(), system_identifier, pg_current_xact_id()
from event_cursor, pg_control_system();

create type run_state as enum ('ready', 'running');

-- At most one ready and one running run for each job and key: the primary key says so.
--
-- VACUUM gives the empty pages at the end of a table back under ACCESS EXCLUSIVE, and flushes the log before
-- it lets go: a queue fills and empties all the time, so every claim and every fold would now and then wait
-- for the disk. The next runs use the pages again.
create table run (
  id bigint generated by default as identity,
  job text collate "C" not null,
  key text collate "C" not null,
  state run_state not null,
  due timestamptz not null,
  -- Of the events that ask for no time, which the debounce counts; null where all of them do.
  first_event_at timestamptz,
  last_event_at timestamptz,
  attempt integer not null default 0,
  crashes integer not null default 0,
  -- The most runs it may be claimed with; 0: as many as the job's batch; -1: alone in its process.
  batch_limit integer not null default 0,
  payload jsonb,
  token uuid,
  worker uuid,
  last_error text,
  -- Runs of the key that were merged into this one and ids of calls that asked for it, oldest first.
  earlier_ids bigint[],
  -- The earliest domain time that was asked for, and when that was first done; null: nobody asked for one.
  run_at timestamptz,
  asked_at timestamptz,
  -- What no event hurries: the wait after a failed attempt, or a snooze.
  backoff_until timestamptz,
  -- Whether a call replaced what was asked for before it; null: no. A run that comes back gives way to it.
  replaces boolean,
  -- 1 goes first, 9 last.
  priority smallint not null default 5 check (priority between 1 and 9),
  -- Of a job with limits: the group that it counts in, as the fold found it; '' where there are none.
  group_key text collate "C",
  -- Whether it stands in its group's queue: out of the way of runs of other groups while its own is full.
  is_held boolean not null default false,
  -- The shortest way by which its events came, as they name it; null: one of them came from outside.
  origin text collate "C",
  -- The traceparents of its events, the oldest first, with a blank between them, eight at most; null: none had one.
  trace text collate "C",
  primary key (job, key, state),
  check (first_event_at is not null and last_event_at is not null or run_at is not null),
  check ((state = 'running') = (token is not null and worker is not null)),
  check (not is_held or state = 'ready' and batch_limit = 0 and group_key is not null)
) with (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0,
  vacuum_truncate = off);
create index run_ready on run (job, batch_limit, priority, due) where state = 'ready' and not is_held;
-- Of jobs with limits alone: no other job has an entry in either.
create index run_held on run (job, group_key, priority, due) where is_held;
create index run_limited on run (job, group_key) where state = 'running' and group_key is not null;

-- The keys that had a run lately, of jobs whose debounce has a leading edge: appended by the fold, so that the
-- newest row of a key is the first in the index however long an old transaction keeps the others; removed in bulk
-- by workers.
create table recent_run (
  job text collate "C" not null,
  key text collate "C" not null,
  -- From when on an event makes a run that is due at once.
  free_at timestamptz not null,
  primary key (job, key, free_at)
) with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);

-- The payloads of jobs that ask for all of them, in the order in which they were folded. A run takes the first
-- thousand of its key when it is first claimed and finds them again by its id; the rest make the next run.
create table run_payload (
  id bigint generated always as identity,
  job text collate "C" not null,
  key text collate "C" not null,
  payload jsonb not null,
  -- The id of the run that has taken it.
  taken_by bigint,
  primary key (job, key, id)
);
create index run_payload_taken_by on run_payload (taken_by) where taken_by is not null;

-- Running runs that somebody wants to be cancelled, for their workers to read. Not a column of `run`: the work's
-- own transaction has deleted its runs there, and holds them to its end. Whoever settles a run takes its row out,
-- or whoever finds that the run is gone.
create table cancellation (
  run_id bigint primary key,
  job text collate "C" not null,
  key text collate "C" not null,
  requested_at timestamptz not null default pg_catalog.now()
);

-- Dead letters: out of attempts, or failed for good. Kept with what is needed to try again; one that is
-- keeps its id, and `runs show` finds it under each of the ids it ever had.
create table dead_run (
  id bigint primary key,
  job text collate "C" not null,
  key text collate "C" not null,
  payload jsonb,
  attempt integer not null,
  error text not null,
  died_at timestamptz not null default pg_catalog.now(),
  earlier_ids bigint[],
  -- When it was first asked for.
  first_event_at timestamptz
);

-- One row a worker process. A direct worker is dead as soon as its server process is gone.
create table worker (
  id uuid primary key,
  name text not null,
  is_direct boolean not null,
  -- Whether a write can wake it: its connection is its own.
  listens boolean not null default false,
  pid integer not null,
  backend_start timestamptz,
  started_at timestamptz not null default pg_catalog.now(),
  -- When a dispatcher first found its server process gone.
  missing_since timestamptz,
  heartbeat_at timestamptz not null default pg_catalog.now()
);

-- Which workers died lately, for reclaim: a run is to blame for the death of its worker only where it was
-- alone in it, and where workers do not die of something else: a storm of kills, a machine without
-- memory, a bad build.
create table worker_death (
  worker uuid primary key,
  -- Whether all that it held was one run with which two workers had died before: such a death may be
  -- that run's doing, and speaks for no other cause.
  was_trial boolean not null,
  died_at timestamptz not null default pg_catalog.now()
);

-- What each job has done since the schema was made; written by workers every few seconds.
create table job_activity (
  job text collate "C" primary key,
  last_ran_at timestamptz not null,
  runs bigint not null,
  batches bigint not null
);
