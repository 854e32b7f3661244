-- Checks the fencing token and deletes the claimed runs, as the first statement of the work's transaction. Deleting
-- locks the runs, and a rollback restores them. The runs are found by ctid, which needs no index. $1 contains the
-- ctids, $2 is the token, $3 the number of claimed runs. Rows: one row, or the error ZB011 if another worker has
-- claimed a run, or if an update has moved a row. Locks: the runs. Index: none; with a plain condition on the state,
-- a plan made on an empty table would read an index of all runs.
with ended as (
  delete from run
  where ctid = any ($1) and (state = 'running') is true and token = $2
  returning 1
)
select check_claim(count(*), $3) from ended
