-- Moves claimed runs of a job that keeps history to the dead letters. $1 job, $2 keys, $3 token, $4 error, $5 how many
-- milliseconds the attempt took, $6 the report of its committed steps, as JSON. Rows: as many as still carried the
-- token. Locks: the runs; the day's partition of the history against TRUNCATE.
with taken as (
  delete from run r where job = $1 and key = any ($2) and state = 'running' and token = $3 returning r
),
-- One row, which the INSERT reads: PostgreSQL does not run a SELECT in WITH that no other part reads.
recorded as materialized (
  select record_history('dead', array_agg(r), array_agg($4::text), $5, $6::text::jsonb)
  from taken
)
insert into dead_run (id, job, key, payload, attempt, error, earlier_ids, first_event_at)
select (r).id, (r).job, (r).key, (r).payload, (r).attempt, $4, (r).earlier_ids,
  least((r).first_event_at, (r).asked_at)
from taken, recorded
