-- The timeline of one run as JSON. $1 its id, $2 and $3 its job and key if they are known, or nulls. Rows: one: null if
-- the run does not exist. Locks: none. Indexes: run_pkey, dead_run_pkey, run_history_id; without job and key all runs
-- are read.
select read_run_life($1, $2, $3)::text
