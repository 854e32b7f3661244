-- Gives the open transaction an id, so that vacuum cannot remove any row that is deleted after it. Rows: one. Locks:
-- its own id.
select pg_current_xact_id()::text
