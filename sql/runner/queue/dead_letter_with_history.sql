-- Moves claimed runs of a job that stores history to dead_run. $1: the job's name. $2: the run keys. $3: the fencing
-- token. $4: the error text. $5: the duration of the attempt in ms, excluding the committed steps. Rows: one row with
-- the number of runs that still had the fencing token. Locks: the runs, and the day's history partition (to block
-- TRUNCATE).
with taken as (
  delete from run r where job = $1 and key = any ($2) and state = 'running' and token = $3 returning r
),
-- PostgreSQL executes a SELECT in WITH only if another query in the statement reads its rows.
recorded as materialized (
  select record_history('dead', array_agg(r), array_agg($4::text), $5)
  from taken
),
-- The log of a restored cluster is dispatched again, so a run that was already dead can become dead again.
replaced as (
  delete from dead_run where id = any (array(select (r).id from taken)) returning 1
)
insert into dead_run (id, job, key, payload, attempt, error, earlier_ids, first_event_at, newest_event, payload_event,
  replaced_by)
select (r).id, (r).job, (r).key, (r).payload, (r).attempt, $4, (r).earlier_ids,
  least((r).first_event_at, (r).asked_at), (r).newest_event, (r).payload_event, (r).replaced_by
from taken, recorded
-- The count forces the deletion before the insertion.
where (select count(*) from replaced) >= 0
