-- Moves claimed runs to dead_run. $1: the job's name. $2: the run keys. $3: the fencing token. $4: the error text.
-- Rows: one row with the number of runs that still had the fencing token. Locks: the runs.
with taken as (
  delete from run where job = $1 and key = any ($2) and state = 'running' and token = $3 returning *
),
-- The log of a restored cluster is dispatched again, so a run that was already dead can become dead again.
replaced as (
  delete from dead_run where id = any (array(select id from taken)) returning 1
)
insert into dead_run (id, job, key, payload, attempt, error, earlier_ids, first_event_at, newest_event, payload_event,
  replaced_by)
select id, job, key, payload, attempt, $4, earlier_ids, least(first_event_at, asked_at), newest_event, payload_event,
  replaced_by
from taken
-- The count forces the deletion before the insertion.
where (select count(*) from replaced) >= 0
