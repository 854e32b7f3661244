-- Enqueues several runs of a job, by any of the job's names, in one statement. If one run is invalid, no runs are
-- enqueued. `runs` is a JSON array of objects with the optional fields key, payload, run_at, priority and replace. The
-- function returns the ids of the runs in array order.
-- needs: check_call, iso_text
create or replace function enqueue_many(job text, runs jsonb) returns setof bigint
-- A time without an offset is in UTC, regardless of the session's time zone.
language plpgsql security definer
set search_path from current set timezone to 'UTC' set datestyle to 'ISO, MDY' as $$
declare
  segment smallint;
  waking bigint;
  needs_key boolean;
  retired_at timestamptz;
  stored text;
  wrong record;
begin
  select j.name, j.needs_key, j.retired_at into stored, needs_key, retired_at from job j where j.name = enqueue_many.job;
  -- The job_alias table contains the later names of renamed jobs.
  if stored is null then
    select j.name, j.needs_key, j.retired_at into stored, needs_key, retired_at
    from job_alias a
    join job j on j.name = a.job
    where a.name = enqueue_many.job;
  end if;
  if stored is null then
    raise exception 'there is no job %', quote_nullable(left(job, 64))
      using errcode = 'ZB005', hint = 'Nothing was enqueued. The command `jobs` lists the jobs.';
  end if;
  if retired_at is not null then
    raise exception 'the job % is retired since %', quote_literal(job), iso_text(retired_at)
      using errcode = 'ZB016', hint = 'Nothing was enqueued. The command `jobs retire --undo` makes it available again.';
  end if;
  if jsonb_typeof(runs) is distinct from 'array' then
    raise exception 'the runs are a JSON array of objects'
      using errcode = 'ZB009', hint = 'Nothing was enqueued. For example [{"key": "7", "payload": {}}].';
  end if;
  select number, field into wrong
  from jsonb_array_elements(runs) with ordinality r (run, number)
  left join lateral (
    select name from jsonb_object_keys(case jsonb_typeof(run) when 'object' then run else '{}' end) n (name)
    where name not in ('key', 'payload', 'run_at', 'priority', 'replace') limit 1) f (field) on true
  where jsonb_typeof(run) <> 'object' or field is not null
  order by number
  limit 1;
  if found then
    raise exception 'run % of the array %', wrong.number,
        coalesce('has a field ' || quote_literal(left(wrong.field, 64)), 'is not an object')
      using errcode = 'ZB009',
        hint = 'Nothing was enqueued. A run is an object with key, payload, run_at, priority and replace.';
  end if;
  select current, wake_key into segment, waking from event_target;
  return query
    with given as materialized (
      select nextval('run_id_seq') as run_id, g.*
      from (
        select number, run ->> 'key' as key, nullif(run -> 'payload', 'null') as payload,
          (run ->> 'run_at')::timestamptz as run_at, nullif((run ->> 'replace')::boolean, false) as replaces,
          (run ->> 'priority')::integer as priority
        from jsonb_array_elements(runs) with ordinality r (run, number)
        order by number) g
    ),
    checked as materialized (
      select g.*, check_call(needs_key, g.key, g.payload, g.run_at, g.priority, g.replaces,
        format(', in run %s of the array', g.number))
      from given g
    ),
    event as materialized (
      select 'enqueue/' || stored as topic, coalesce(c.key, '#' || c.run_id) as key, c.payload, c.run_id,
        c.run_at, c.replaces, c.priority
      from checked c
      order by c.number
    ),
    in_0 as (
      insert into event_0 (topic, key, payload, run_id, run_at, replaces, priority)
      select * from event where segment = 0
    ),
    in_1 as (
      insert into event_1 (topic, key, payload, run_id, run_at, replaces, priority)
      select * from event where segment = 1
    ),
    in_2 as (
      insert into event_2 (topic, key, payload, run_id, run_at, replaces, priority)
      select * from event where segment = 2
    )
    select given.run_id from given order by given.number;
  -- If another session holds the advisory lock `waking`, a worker is already awake or being woken.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
end $$
