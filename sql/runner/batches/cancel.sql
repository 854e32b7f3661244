-- Requests the cancellation of the open members of a batch. $1: the batch's name. Rows: one row. If the batch has
-- already ended, the result is false. Locks: those of the function cancel_batch.
select cancel_batch($1)
