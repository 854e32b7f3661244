-- The tokens under which a worker has runs. $1 worker. Rows: tokens. Locks: none. Reads the running runs.
select distinct token
from run
where state = 'running' and worker = $1
