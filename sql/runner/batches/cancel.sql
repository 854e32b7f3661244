-- Requests the cancellation of a batch's open members. $1: the batch's name. Rows: one row. If the batch has already
-- ended, the result is false. Locks: see cancel_batch.
select cancel_batch($1)
