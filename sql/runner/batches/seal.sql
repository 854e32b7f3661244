-- Seals a batch. $1: the batch's name. Rows: one row. Locks: those of the function seal_batch.
select seal_batch($1)
