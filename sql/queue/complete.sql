-- Ends the claimed runs, in the transaction of their work. Deleting is cheaper than marking.
-- $1 job, $2 keys, $3 token. Rows: as many as were claimed, or the work is rolled back.
-- Locks: the runs, held since lock_claimed. Index: run_pkey.
delete from run
where job = $1 and key = any ($2) and state = 'running' and token = $3
