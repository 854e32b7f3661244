-- Moves claimed runs to the dead letters.
-- $1 job, $2 keys, $3 token, $4 error. Rows: as many as still carried the token. Locks: the runs.
with taken as (
  delete from run where job = $1 and key = any ($2) and state = 'running' and token = $3 returning *
)
insert into dead_run (id, job, key, payload, attempt, error, earlier_ids, first_event_at)
select id, job, key, payload, attempt, $4, earlier_ids, least(first_event_at, asked_at)
from taken
