-- Stores the history of runs that have just ended, and deletes their progress. All elements of `runs` get the same end
-- time. `errors` contains one error for each dead run. `took_ms` is the duration of the last attempt, or null if the
-- duration is unknown. `report` contains the counts of the last attempt. `took_ms` and `report` exclude the steps in
-- run_progress. The function adds the durations and the counts of the steps in run_progress. The function wakes callers
-- that are waiting for the runs. If the runs were cancelled, the function marks their batch members as cancelled.
-- Locks: the day's partition (to block TRUNCATE), and the marked members. Index: batch_member_key.
-- needs: wake_observers_of
create or replace function record_history(ended text, runs run[], errors text[] default null,
  took_ms bigint default null, report jsonb default null, output jsonb default null)
returns void
language plpgsql as $$
declare
  at timestamptz := clock_timestamp();
begin
  with progress as (
    delete from run_progress p
    using (select r.id, part from unnest(runs) r, unnest(r.id || r.earlier_ids) part) r
    where p.run_id = r.part
    returning r.id, p.started_at, p.duration_ms, p.report
  ),
  total as (
    select p.id, min(p.started_at) as started_at, sum(p.duration_ms)::bigint as duration_ms,
      (select jsonb_object_agg(name, value)
        from (
          select c.key as name, sum(c.value::numeric) as value
          from progress q, jsonb_each_text(q.report) c
          where q.id = p.id
          group by c.key) counts) as report
    from progress p
    group by p.id
  )
  insert into run_history (partition, created_at, id, job, key, attempt, outcome, started_at, duration_ms,
    report, error, output, worker, made_at, last_event_at, earlier_ids)
  select day_partition(at), at, r.id, r.job, r.key, r.attempt, ended,
    coalesce(t.started_at, at - took_ms * interval '1 millisecond'),
    case when t.id is null then took_ms else t.duration_ms + coalesce(took_ms, 0) end,
    case when t.id is null then record_history.report
      else add_reports(coalesce(t.report, '{}'), coalesce(record_history.report, '{}')) end,
    r.unnest, output, w.name, least(r.first_event_at, r.asked_at), r.last_event_at, r.earlier_ids
  -- The second unnest has no alias, so its column is named `unnest`.
  from rows from (unnest(runs), unnest(errors)) r
  left join worker w on w.id = r.worker
  left join total t on t.id = r.id;
  -- The trigger on dead_run wakes the callers that are waiting for dead runs.
  if ended <> 'dead' then
    perform wake_observers_of('run/' || r.job, array_agg(r.key)) from unnest(runs) r group by r.job;
  end if;
  -- The UPDATE is a separate statement, so its snapshot contains the most recently merged calls.
  if ended = 'cancelled' then
    update batch_member m set is_cancelled = true
    from unnest(runs) r
    where m.job = r.job and m.key = r.key and not m.is_dead and
      -- include: holds_member
      ;
  end if;
end $$
