-- Runs that a worker works and somebody cancelled. $1 worker. Rows: token, id of the run. Locks: none.
-- Index: run_pkey. A transaction that works them has deleted them, but not for others. Reads cancellation, which is
-- short.
select r.token, r.id
from cancellation c
join run r on r.job = c.job and r.key = c.key and r.state = 'running' and r.id = c.run_id
where r.worker = $1
