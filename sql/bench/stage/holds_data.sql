-- Checks whether a schema contains events or runs. A schema with events or runs is in use, so the bench must not use
-- it. Rows: one row with the result. Locks: none.
select exists (select from event) or exists (select from run)
