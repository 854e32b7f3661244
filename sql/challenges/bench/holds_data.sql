-- Checks whether the database contains challenges. The benchmark must not use a database that contains challenges.
-- Rows: one row with a boolean that is true if the database contains challenges. Locks: none.
select exists (select from groups) or exists (select from users) or exists (select from workout)
