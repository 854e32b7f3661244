-- Requests that the open members of a batch are cancelled. $1: the batch's name. Rows: one row. The result is false if
-- the batch has already ended. Locks: those of the function cancel_batch.
select cancel_batch($1)
