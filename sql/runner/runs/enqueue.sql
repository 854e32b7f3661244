-- Enqueues a run of a job. $1: the job's name. $2: the key or null. $3: the payload as JSON or null. $4: the time in
-- domain time or null. $5: the priority or null. $6: true if the call replaces earlier calls. Rows: one row with the
-- run's id. Locks: none. Errors: ZB005 (unknown job), ZB006 (invalid key), ZB007 (payload too large), ZB008 (invalid
-- time), ZB012 (invalid priority), 22P02 (invalid JSON).
select enqueue($1, $2, $3::text::jsonb, $4, $5, $6)
