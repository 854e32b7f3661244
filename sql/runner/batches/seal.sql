-- Seals a batch. $1: the batch's name. Rows: one row. Locks: see seal_batch.
select seal_batch($1)
