-- Assigns an id to the open transaction, so that vacuum cannot remove rows that are deleted later. Rows: one: the id.
-- Locks: the transaction's own id.
select pg_current_xact_id()::text
