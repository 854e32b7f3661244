-- The template checks the condition of a table declaration. The rules are the same as for a partial index: one boolean
-- expression over the columns of a row, with immutable functions and without subqueries. The template creates a partial
-- index on an empty table that only this transaction can see. The caller removes the table by rolling back to a
-- savepoint. Rows: none. Locks: none on the declared table.
create table {scratch} ({columns});
create index on {scratch} ((true)) where ({condition})
