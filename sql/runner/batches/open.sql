-- Opens a batch. $1: the batch's name. $2: the job that runs when the batch ends, or null. $3: the parent's name, or
-- null. Rows: one row. Locks: see open_batch.
select open_batch($1, $2, $3)
