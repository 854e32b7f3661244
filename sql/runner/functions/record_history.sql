-- Writes the history of runs that have ended just now, with one instant for all. Errors are for dead runs, one for
-- each. If the caller does not know how long the last attempt took, or if there was none, it passes null. The only lock
-- is the one on the day's partition against TRUNCATE.
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
  -- The second unnest has no named columns, so its column is named like the function.
  from rows from (unnest(runs), unnest(errors)) r
  left join worker w on w.id = r.worker;
end $$
