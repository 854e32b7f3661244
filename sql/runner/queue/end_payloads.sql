-- Deletes the payloads of completed runs, in the transaction of their work. $1: the run ids. Rows: one row with the
-- number of deleted payloads. Locks: the deleted rows. Index: run_payload_taken_by.
delete from run_payload where taken_by = any ($1)
