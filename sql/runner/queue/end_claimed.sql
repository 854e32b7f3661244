-- Checks the fence and ends the claimed runs in one statement, as the first one of the work: deleting locks the runs,
-- and a rollback leaves them as they were. It finds the runs by place, which needs no index. $1 places, $2 token, $3
-- how many were claimed. Rows: one; ZB011 if any is missing: the claim was lost, or rows were moved. Locks: the runs.
-- Index: none.
with ended as (
  delete from run
  where ctid = any ($1) and state = 'running' and token = $2
  returning 1
)
select check_claim(count(*), $3) from ended
