-- Moves claimed runs of a job that keeps history to the dead letters.
-- $1 job, $2 keys, $3 token, $4 error, $5 how many milliseconds the attempt took, $6 the report of
-- its steps that committed, as JSON. Rows: as many as still carried the token.
-- Locks: the runs; the day's partition of the history against TRUNCATE.
with taken as (
  delete from run where job = $1 and key = any ($2) and state = 'running' and token = $3 returning *
),
moment as materialized (
  select clock_timestamp() as at
),
recorded as (
  insert into run_history (partition, created_at, id, job, key, attempt, outcome, started_at,
    duration_ms, report, error)
  select day_partition(at), at, id, job, key, attempt, 'dead',
    at - $5::bigint * interval '1 millisecond', $5, $6::text::jsonb, $4
  from taken, moment
)
insert into dead_run (id, job, key, payload, attempt, error, errors, earlier_ids, first_event_at)
select id, job, key, payload, attempt, $4, add_error(errors, attempt, $4), earlier_ids, first_event_at
from taken
