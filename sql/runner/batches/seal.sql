-- Seals a batch. $1: the batch's name. Rows: one row. Locks and errors: see seal_batch.
select seal_batch($1)
