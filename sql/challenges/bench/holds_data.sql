-- Checks whether the database contains challenges. A database with challenges is in use, so the bench must not run in
-- it. Rows: one row. Locks: none.
select exists (select from groups) or exists (select from users) or exists (select from workout)
