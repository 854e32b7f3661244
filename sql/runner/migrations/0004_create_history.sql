-- The history of runs, and for how long what has ended is kept. docs/schedules.md has the rules.

-- The partition of an instant: its UTC day, modulo sixteen. Here and not in functions/: CHECKs call it.
create function day_partition(at timestamptz) returns smallint
language sql immutable strict parallel safe
return ((floor(extract(epoch from at) / 86400)::bigint % 16 + 16) % 16)::smallint;

-- What has ended, of jobs that keep history; what was cancelled, of all. A day has a partition and goes by TRUNCATE; all sixteen are there from the
-- beginning, so none can be missing when its day comes. Times are the server's own clock.
create table run_history (
  partition smallint not null,
  created_at timestamptz not null,
  id bigint not null,
  job text collate "C" not null,
  key text collate "C" not null,
  attempt integer not null,
  outcome text not null check (outcome in ('done', 'dead', 'cancelled')),
  started_at timestamptz,
  duration_ms bigint check (duration_ms >= 0),
  report jsonb,
  error text,
  -- What a run outside of transactions returned.
  output jsonb,
  -- Who worked it last; null where nobody did, or nobody knows him any more.
  worker text,
  -- Of the events that it was made of, the first and the last.
  made_at timestamptz,
  last_event_at timestamptz,
  -- Runs of the key that were merged into it, and ids of calls that asked for it.
  earlier_ids bigint[],
  primary key (partition, created_at, id),
  check (partition = day_partition(created_at)),
  check ((outcome = 'dead') = (error is not null))
) partition by list (partition);
create index run_history_job on run_history (job, created_at);
-- A run is found by each of its ids.
create index run_history_id on run_history (id);
create index run_history_earlier_ids on run_history using gin (earlier_ids)
  where earlier_ids is not null;

do $$
begin
  for partition in 0..15 loop
    execute format(
      'create table run_history_%s partition of run_history for values in (%s)', partition, partition);
  end loop;
end $$;

-- The attempts that counted and failed, of all jobs: at most the newest twenty of a run, for as long as it waits or
-- is dead, and then as long as the history. Rows of their own, written when an attempt fails, so that the end of
-- a run need not carry them anywhere.
create table failed_attempt (
  id bigint generated always as identity primary key,
  run_id bigint not null,
  job text collate "C" not null,
  key text collate "C" not null,
  attempt integer not null,
  worker text,
  -- Null where the worker died.
  began_at timestamptz,
  ended_at timestamptz not null,
  error text not null
);
create index failed_attempt_run on failed_attempt (run_id);
create index failed_attempt_ended on failed_attempt (ended_at);

-- How long the job purge-runs keeps what has ended. Sixteen partitions hold 14 days and two to spare.
create table runner_setting (
  singleton boolean primary key default true check (singleton),
  run_history_age interval not null default '7 days'
    check (run_history_age between '1 day' and '14 days'),
  dead_run_age interval not null default '30 days' check (dead_run_age >= '1 day')
);
insert into runner_setting default values;
