-- Checks the fencing token and deletes the claimed runs, as the first statement of the work's transaction. The deletion
-- locks the runs, and a rollback restores them. The statement finds the runs by ctid, without an index. $1: the ctids
-- of the runs. $2: the fencing token. $3: the number of claimed runs. Rows: one row, or error ZB011 if another worker
-- has claimed one of the runs or if an UPDATE has moved a row. Locks: the runs. Index: none. The expression `is true`
-- prevents the planner from using an index on the `state` column.
with ended as (
  delete from run
  where ctid = any ($1) and (state = 'running') is true and token = $2
  returning 1
)
select check_claim(count(*), $3) from ended
