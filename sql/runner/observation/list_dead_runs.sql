-- Dead runs, newest first. $1 job or null, $2 group or null, $3 how the key begins or null, $4 the id to continue
-- after, or null. Rows: id, job, key, attempts, died, first event, error; 51 at most. Locks: none. Index:
-- dead_run_pkey.
select * from list_dead_runs($1, $2, $3, $4)
