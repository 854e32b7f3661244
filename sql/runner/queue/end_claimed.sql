-- The fence and the end of the claimed runs in one, first thing in the work: deleting locks them, and
-- a rollback leaves them as they were. By place, which needs no index.
-- $1 places, $2 token, $3 how many were claimed. Rows: one; ZB011 where any is missing: the claim
-- was lost, or rows were moved. Locks: the runs. Index: none.
with ended as (
  delete from run
  where ctid = any ($1) and state = 'running' and token = $2
  returning 1
)
select check_claim(count(*), $3) from ended
