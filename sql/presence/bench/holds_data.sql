-- Checks whether this module of the schema contains data. A module with data is in use, so the bench must not run in
-- it. Rows: one row. Locks: none.
select exists (select from users) or exists (select from groups)
