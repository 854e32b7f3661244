-- Deletes dead runs. $1 ids. Rows: the number. Locks: those dead runs, held since lock_dead. Indexes: dead_run_pkey,
-- run_payload_taken_by.
with payloads as (
  delete from run_payload where taken_by = any ($1)
)
delete from dead_run where id = any ($1)
