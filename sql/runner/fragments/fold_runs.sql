-- Creates or updates the ready runs of a dispatch, and returns the result of the dispatch. The `named` CTE of the
-- fold_calls fragment contains one row for each job and key. A statement includes the fragments fold_waits, fold_calls
-- and fold_runs, in this order. $1: true to make new runs due now, without a debounce. Rows: one row with the number of
-- events, the number of runs, the names of the jobs, the names of the jobs with due runs (one per line), and the
-- duration in microseconds. Locks: the ready runs of the keys. Indexes: run_pkey, run_held, held_group_key.
crowded as (
  -- The `crowded` CTE contains groups whose new due runs are held. A group is crowded if it already has held runs, or
  -- if the dispatch creates more than 100 of its runs.
  select n.job, n.group_key from named n where n.is_grouped group by n.job, n.group_key
  having count(*) > 100
    -- The newest held run is read first, because the index entries of completed runs of an old transaction's time remain.
    or (select true from run h where h.is_held and h.job = n.job and h.group_key = n.group_key
      order by h.priority desc, h.due desc limit 1)
),
made as (
  insert into run as r (id, job, key, state, due, first_event_at, last_event_at, run_at, asked_at,
    payload, earlier_ids, priority, group_key, is_held, origin, trace, newest_event, payload_event, replaced_by, calls)
  select run_id, job, key, 'ready', due, first_event_at, last_event_at, run_at, asked_at, payload,
    -- The earlier_ids column is empty if callers received only the run's own id, and null if callers received no id.
    -- The array is not sorted. If the array is too long, the statement sorts it and stores the newest thousand ids.
    case when cardinality(ids) > 1000
      then array(
        select i.id from (select unnest(array_remove(ids, run_id)) as id order by 1 desc limit 1000) i order by 1)
      else array_remove(ids, run_id) end, priority, group_key,
    -- A run that is not due is never held. Otherwise, each claim would visit its group until the run is due.
    is_grouped and (n.job, n.group_key) in (select c.job, c.group_key from crowded c) and due <= statement_timestamp(),
    nullif(origin, ''), trace, newest_event, payload_event, replaced_by, calls
  from (
    select *, greatest((select at from bound), least(server_time(run_at),
      case when first_event_at is null then null
        when $1 then now()
        when every is not null then least(greatest(now(), free_at), now() + every)
        -- A run without a debounce is due now, even if the event was recorded after this transaction began.
        else least(last_event_at + quiet, first_event_at + at_most, case when quiet = '0' then now() end) end)) as due
    from named) n
  order by job, key
  on conflict (job, key, state) do update
  set
  -- include: merge_run
    earlier_ids = case
      when excluded.earlier_ids is null and (excluded.payload_event > coalesce(r.payload_event, 0)) is not true
        and (
          -- include: shares_payloads
          ) is not true
        then r.earlier_ids
      else newest_ids(
        -- include: merged_ids
        ) end,
    -- An event does not shorten a backoff: a run that always crashes must eventually become dead. An overdue run keeps
    -- its due time. If a merge makes a run due earlier, lowers its id or changes its priority, the new due time is
    -- never before the time of the previous dispatch. A held run that a merge makes due later is no longer held.
    (due, is_held) = (
      select d.due, r.is_held and d.due <= statement_timestamp()
      from (
        select greatest(r.backoff_until,
          case when ((excluded.payload_event > coalesce(r.payload_event, 0)) is not true or excluded.id >= r.id)
              and r.priority = (
                -- include: merged_priority
                )
            then least(r.due, (select at from bound)) else (select at from bound) end,
          case
            -- In a job with `every`, the waiting run itself counts as the key's last run, so that `excluded.due` is
            -- later. Calls with `replace` would postpone the run again and again.
            when excluded.replaced_by > coalesce(r.newest_event, 0) then
              case when server_time(excluded.run_at) <= r.due
                  or r.due <= now() and excluded.due <= now()
                  or r.first_event_at is not null and excluded.first_event_at is not null
                  and (r.due < server_time(r.run_at)) is not false
                  and (select true from job j where j.name = r.job and j.every is not null)
                then least(r.due, excluded.due) else excluded.due end
            when r.replaced_by > coalesce(excluded.newest_event, 0) then r.due
            when coalesce(r.replaced_by, excluded.replaced_by) is not null then (
              select case when (j.every is not null or $1) and w.first_event_at is not null
                  then least(r.due, excluded.due)
                else least(server_time(w.run_at), w.last_event_at + j.quiet, w.first_event_at + j.at_most) end
              from job j, merge_waits(r, excluded) w where j.name = r.job)
            when excluded.first_event_at is null then least(r.due, excluded.due)
            else (
              select case when j.every is not null then least(r.due, excluded.due)
                else least(server_time(least(r.run_at, excluded.run_at)),
                  greatest(r.last_event_at, excluded.last_event_at) + j.quiet,
                  least(r.first_event_at, excluded.first_event_at) + j.at_most) end
              from job j where j.name = r.job) end) as due
        offset 0) d)
  returning job, key, due, first_event_at, earlier_ids, replaced_by, group_key, is_held
),
-- The `turn` CTE adds turns for groups with new held runs, if the job has a rate for each group. No turn is added if
-- the group already has a turn that is due at the same time or earlier, but more than 1 s from now.
turn as (
  insert into held_group (job, group_key, due)
  select m.job, m.group_key, n.due
  from (
    select job, group_key, min(due) as due from made
    where is_held and (select count(group_interval) > 0 from job_limit)
    group by job, group_key) m
  join job_limit l on l.job = m.job,
  lateral (
    select greatest(m.due, (
      select s.rested_at from limit_start s where s.job = m.job and s.group_key = m.group_key and s.rested_at > now()
      order by s.rested_at desc limit 1) - (l.group_burst - 1) * l.group_interval) as due) n
  where l.group_interval is not null
    and (
      select true from held_group h
      where h.job = m.job and h.group_key = m.group_key and h.due > now() + interval '1 second' and h.due <= n.due
      limit 1) is null
),
remembered as (
  insert into recent_run (job, key, free_at)
  select m.job, m.key, m.due + j.every
  from made m
  join job j on j.name = m.job
  -- If no job is throttled, the first condition is false, and PostgreSQL does not read the `made` CTE.
  where (select count(every) > 0 from job)
    and j.every is not null and not $1 and m.first_event_at is not null and m.due + j.every > now()
  order by m.job, m.key
  on conflict do nothing
),
collected as (
  insert into run_payload (id, job, key, payload)
  select f.id, w.name, f.key, f.payload
  from fresh f
  join wake w using (topic)
  join made m on m.job = w.name and m.key = f.key
  where (select count(*) filter (where keeps_payloads) > 0 from job)
    and w.keeps_payloads and f.payload is not null and f.id >= coalesce(m.replaced_by, 0)
  order by f.id
  -- The log of a restored cluster is dispatched again, and the payload of a waiting or dead run is still stored.
  on conflict do nothing
),
-- While another transaction is claiming a run, the join with the `made` CTE prevents the deletion of the run's
-- payloads.
dropped as (
  delete from run_payload p
  using made m
  where (select count(*) filter (where keeps_payloads) > 0 from job)
    and m.replaced_by is not null and p.job = m.job and p.key = m.key and p.id < m.replaced_by
    and (p.taken_by is null or p.taken_by = any (m.earlier_ids))
),
-- The `called` CTE adds the priorities of new calls to the `priorities` column of the job. A claim searches for runs of
-- each priority in this column.
called as (
  update job j
  set priorities = (select array_agg(distinct p order by p) from unnest(j.priorities || n.priorities) p)
  from (
    select w.name, array_agg(f.priority) as priorities from fresh f join wake w using (topic)
    where f.priority is not null
    group by 1) n
  where j.name = n.name and not n.priorities <@ j.priorities
),
forgotten as (
  delete from event_position
  where id = (
    select p.id from event_position p
    where (select set_by from event_position order by id desc limit 1) = pg_current_xact_id_if_assigned()
    order by p.id desc limit 1 offset 1)
)
select (select events from counted), (select count(*) from made) + (select count(*) from woken),
  array_to_string(array(select job from made union select job from woken), e'\n'),
  array_to_string(array(
    select job from made where due <= clock_timestamp() and not is_held union select job from woken), e'\n'),
  (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000000)::bigint
