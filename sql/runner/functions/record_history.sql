-- Stores the history of runs that have just ended. All runs have the same end time. `errors` contains one error for
-- each dead run. `took_ms` is the duration of the last attempt, or null if there was no attempt or its duration is
-- unknown. Locks: the day's partition against TRUNCATE.
create or replace function record_history(ended text, runs run[], errors text[] default null,
  took_ms bigint default null, report jsonb default null, output jsonb default null)
returns void
language plpgsql as $$
declare
  at timestamptz := clock_timestamp();
begin
  insert into run_history (partition, created_at, id, job, key, attempt, outcome, started_at, duration_ms,
    report, error, output, worker, made_at, last_event_at, earlier_ids)
  select day_partition(at), at, r.id, r.job, r.key, r.attempt, ended,
    at - took_ms * interval '1 millisecond', took_ms, report, r.unnest, output, w.name,
    least(r.first_event_at, r.asked_at), r.last_event_at, r.earlier_ids
  -- The second unnest has no alias, so its column is named `unnest`.
  from rows from (unnest(runs), unnest(errors)) r
  left join worker w on w.id = r.worker;
end $$
