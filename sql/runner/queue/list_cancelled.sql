-- Lists the cancelled runs that a worker is executing. $1 is the worker. Rows: the token, the id of the run. Locks:
-- none. Index: run_pkey. The transaction of the work has deleted the run, but other sessions still see the run. The
-- statement reads cancellation, which is a small table.
select r.token, r.id
from cancellation c
join run r on r.job = c.job and r.key = c.key and r.state = 'running' and r.id = c.run_id
where r.worker = $1
