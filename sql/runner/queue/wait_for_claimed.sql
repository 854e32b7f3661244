-- Waits for whoever holds claimed runs: a connection that broke may have left its transaction in the server. Ahead of
-- lock_cancellations, behind which others wait.
-- $1 job, $2 keys, $3 token. Rows: as many as still carry the token. Locks: the runs. Index: run_pkey.
select from run
where job = $1 and key = any ($2) and state = 'running' and token = $3
for update
