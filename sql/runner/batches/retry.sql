-- Requests a retry of a batch's dead members. $1: the batch's name. Rows: one row with the number of dead members.
-- Locks: see retry_batch.
select retry_batch($1)
