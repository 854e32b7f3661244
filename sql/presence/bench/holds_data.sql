-- Checks whether this module of the schema contains data. The benchmark must not use a module that contains data. Rows:
-- one row with a boolean that is true if the module contains data. Locks: none.
select exists (select from users) or exists (select from groups)
