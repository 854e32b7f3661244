-- Requests a retry of the dead members of a batch. $1: the batch's name. Rows: one row with the number of dead members.
-- Locks: those of the function retry_batch.
select retry_batch($1)
