-- Gives the open transaction an id, so that nothing that ends after it can be cleaned away.
-- Rows: one. Locks: its own id.
select pg_current_xact_id()::text
