-- Assigns an id to the open transaction. While the transaction is open, VACUUM cannot remove rows that other
-- transactions delete. Rows: one row with the transaction id. Locks: the transaction's own id.
select pg_current_xact_id()::text
