-- Requests the cancellation of the open members of a batch. $1: the batch's name. Rows: one row. The result is false if
-- the batch has already ended. Locks: the same locks as the function cancel_batch.
select cancel_batch($1)
