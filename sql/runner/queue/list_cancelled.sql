-- Cancelled runs that a worker is working on. $1 worker. Rows: token, id of the run. Locks: none. Index: run_pkey. The
-- transaction that works on a run has deleted it, but other sessions still see it. Reads cancellation, which is short.
select r.token, r.id
from cancellation c
join run r on r.job = c.job and r.key = c.key and r.state = 'running' and r.id = c.run_id
where r.worker = $1
