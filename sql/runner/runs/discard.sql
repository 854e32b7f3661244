-- Deletes dead runs and their payloads. $1: the ids of the runs. Rows: one row with the number of deleted runs. Locks:
-- the dead runs, which lock_dead has already locked. Indexes: dead_run_pkey, run_payload_taken_by.
with payloads as (
  delete from run_payload where taken_by = any ($1)
)
delete from dead_run where id = any ($1)
