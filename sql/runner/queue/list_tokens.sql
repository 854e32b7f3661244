-- The tokens under which a worker has runs. $1 worker. Rows: tokens. Locks: none. Index: run_running.
select distinct token
from run
where state = 'running' and worker = $1
