-- Lists the cancelled runs that a worker is executing. $1: the worker's id. Rows: the token and the id of each run.
-- Locks: none. Index: run_pkey. Even if the worker's open transaction has deleted the run, other sessions still see it.
-- The statement reads `cancellation`, which is a small table.
select r.token, r.id
from cancellation c
join run r on r.job = c.job and r.key = c.key and r.state = 'running' and r.id = c.run_id
where r.worker = $1
