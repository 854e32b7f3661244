-- Waits for each transaction that has locked one of the given claimed runs. If a worker has lost its connection, the
-- server may still execute the worker's transaction. The caller must execute the statement before lock_cancellations,
-- which blocks other sessions. $1: the job's name. $2: the run keys. $3: the fencing token. Rows: one empty row for
-- each run that still has the fencing token. Locks: the runs. Index: run_pkey.
select from run
where job = $1 and key = any ($2) and state = 'running' and token = $3
for update
