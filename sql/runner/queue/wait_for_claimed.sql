-- Waits for a transaction that holds claimed runs: a broken connection may have left one in the server. It runs before
-- lock_cancellations, because other sessions wait for that lock. $1 job, $2 keys, $3 token. Rows: as many as still
-- carry the token. Locks: the runs. Index: run_pkey.
select from run
where job = $1 and key = any ($2) and state = 'running' and token = $3
for update
