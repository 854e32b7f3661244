-- Removes the payloads that ended runs had taken, in the transaction of their work. $1 ids. Rows: the number. Locks:
-- those rows. Index: run_payload_taken_by.
delete from run_payload where taken_by = any ($1)
