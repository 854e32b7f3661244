-- Requests a retry of the dead members of a batch. $1: the batch's name. Rows: one row with the number of dead members.
-- Locks: the same locks as the function retry_batch.
select retry_batch($1)
