-- Reads the timeline of a run as JSON. $1: the run's id. $2 and $3: the run's job and key, or null. Rows: one row with
-- the timeline, which is null if the run does not exist. Locks: none. Indexes: run_pkey, dead_run_pkey, run_history_id.
-- If the job and the key are null, the statement reads all runs.
select read_run_life($1, $2, $3)::text
