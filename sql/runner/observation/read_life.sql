-- The life of one run as JSON. $1 its id, $2 and $3 its job and key, where they are known, or nulls. Rows: one: null
-- where there is no such run. Locks: none. Indexes: run_pkey, dead_run_pkey, run_history_id; else all runs are read.
select read_run_life($1, $2, $3)::text
