-- Checks whether a run is still running. $1: the run's id. $2: the run's job. $3: the run's key. Rows: one row with a
-- boolean that is true if the run is still running. Locks: none. Index: run_pkey.
select exists (
  select from run where job = $2 and key = $3 and state = 'running' and id = $1
    and worker is not null)
