-- Lists the fencing tokens of a worker's running runs. $1: the worker's id. Rows: the tokens. Locks: none. Index:
-- run_running.
select distinct token
from run
where state = 'running' and worker = $1
