-- Writes the history of runs that have ended just now, at one instant: each belongs to one place of the
-- arrays. Errors are those of dead runs; who does not know how long they took says null. Its one lock is
-- the day's partition against TRUNCATE.
create or replace function record_history(ended text, jobs text[], ids bigint[], keys text[],
  attempts integer[], errors text[], took_ms bigint default null, report jsonb default null,
  output jsonb default null)
returns void
language plpgsql as $$
declare
  at timestamptz := clock_timestamp();
begin
  insert into run_history (partition, created_at, id, job, key, attempt, outcome, started_at, duration_ms,
    report, error, output)
  select day_partition(at), at, id, job, key, attempt, ended, at - took_ms * interval '1 millisecond',
    took_ms, report, error, output
  from unnest(jobs, ids, keys, attempts, errors) e (job, id, key, attempt, error);
end $$
