-- Schedules, and the history of runs. docs/schedules.md has the rules and the interleavings.

-- Whether a job's runs leave a row behind when they end, done or dead.
alter table job add keeps_history boolean not null default false;

-- The slot of an instant: its UTC day, modulo sixteen.
create function day_slot(at timestamptz) returns smallint
language sql immutable strict parallel safe
return ((floor(extract(epoch from at) / 86400)::bigint % 16 + 16) % 16)::smallint;

-- What has ended. A day is a slot and goes by TRUNCATE; all sixteen slots are there from the
-- beginning, so none can be missing when its day comes. Times are the server's own clock.
create table run_history (
  slot smallint not null,
  created_at timestamptz not null,
  id bigint not null,
  job text collate "C" not null,
  key text collate "C" not null,
  attempt integer not null,
  outcome text not null check (outcome in ('done', 'dead')),
  started_at timestamptz,
  duration_ms bigint check (duration_ms >= 0),
  report jsonb,
  error text,
  primary key (slot, created_at, id),
  check (slot = day_slot(created_at)),
  check ((outcome = 'dead') = (error is not null))
) partition by list (slot);
create index run_history_job on run_history (job, created_at);

do $$
begin
  for slot in 0..15 loop
    execute format(
      'create table run_history_%s partition of run_history for values in (%s)', slot, slot);
  end loop;
end $$;

-- Empties one partition whose primary key begins with (slot, created_at) if all of it is older than
-- the cutoff. True: it did; false: it is empty or holds a row that is not older; null: somebody is
-- using it, try later. The lock is waited for briefly, because everybody else queues behind it: not at
-- all would never get it where readers follow each other closely, and longer would be felt. The check is
-- a statement of its own under the lock: no writer is then open, and it sees what all have written.
create function truncate_slot(relation regclass, cutoff timestamptz) returns boolean
language plpgsql
set enable_seqscan = off set enable_sort = off set lock_timeout = '20ms' as $$
declare
  holds_rows boolean;
  is_old boolean;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'truncate_slot must see what was committed before it had the lock'
      using errcode = '25001', hint = 'Call it at READ COMMITTED.';
  end if;
  execute format('select exists (select from %s)', relation) into holds_rows;
  if not holds_rows then
    return false;
  end if;
  execute format('lock table %s in access exclusive mode', relation);
  -- The newest row is the last entry of the primary key: one look, however many rows there are.
  execute format(
    'select created_at < $1 from %s order by slot desc, created_at desc limit 1', relation)
    into is_old using cutoff;
  if is_old is not true then
    return false;
  end if;
  execute format('truncate %s', relation);
  return true;
exception
  when lock_not_available then return null;
end $$;

-- What of time wakes a job. All instants are domain time. Written by `define`, moved by whoever
-- fires; a row is a schedule that some binary has defined, and is fired as it stands here.
create table schedule (
  job text collate "C" primary key,
  -- A cron expression and its time zone, or `every N s` and null.
  expression text not null,
  time_zone text,
  missed text not null check (missed in ('skip', 'once', 'all')),
  -- The occurrence that is fired next, by its own time; null: there is none any more.
  next_at timestamptz,
  last_at timestamptz,
  last_fired_at timestamptz,
  paused_at timestamptz,
  -- Which clock next_at was reckoned by: a replay's clock says nothing about the server's.
  in_development boolean not null
);

-- Which occurrences were dealt with: whoever fires, each of them is entered once.
create table occurrence (
  job text collate "C" not null,
  scheduled_at timestamptz not null,
  fired_at timestamptz not null,
  outcome text not null check (outcome in ('fired', 'skipped', 'backfilled')),
  primary key (job, scheduled_at)
);

-- By how much an occurrence fires after its time. Written by whoever knows; none means at once.
create table schedule_delay (
  job text collate "C" primary key,
  delay interval not null check (delay >= '0')
);

-- Schedules that are waited for, and when each fires. A delay is a length of time: a day in it is
-- 24 hours whatever clocks do in the session's time zone. In a development database schedules
-- belong to a replay of weeks, and only those that were reckoned by its clock.
create view waiting_schedule as
select s.job, s.next_at, s.expression, s.time_zone, s.missed,
  extract(epoch from coalesce(d.delay, '0'))::double precision * interval '1 second' as delay,
  s.next_at + extract(epoch from coalesce(d.delay, '0'))::double precision * interval '1 second'
    as fires_at
from schedule s
left join schedule_delay d using (job)
where s.paused_at is null and s.next_at is not null
  and s.in_development = exists (select from development)
  and not exists (select from development where mode <> 'weeks');
