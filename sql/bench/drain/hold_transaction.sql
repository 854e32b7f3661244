-- Assigns a transaction id to the open transaction, so that VACUUM cannot remove rows that other transactions delete.
-- Rows: one row with the transaction id. Locks: the transaction id.
select pg_current_xact_id()::text
