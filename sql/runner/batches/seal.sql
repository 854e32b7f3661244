-- Seals a batch. $1: the batch's name. Rows: one row. Locks: the same locks as the function seal_batch.
select seal_batch($1)
