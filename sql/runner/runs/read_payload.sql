-- The payload that a ready run of one key has. $1 job, $2 key.
-- Rows: the payload as JSON or null; none where no run of the key is ready. Locks: none.
-- Index: run_pkey.
select payload::text from run where job = $1 and key = $2 and state = 'ready'
