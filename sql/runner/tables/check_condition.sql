-- The template checks a condition: PostgreSQL creates a partial index with the condition on an empty table that only this
-- transaction can see. An index condition is one boolean expression over the columns of a row, with immutable functions and
-- without subqueries. Rows: none. Locks: none on the declared table.
create table {scratch} ({columns});
create index on {scratch} ((true)) where ({condition});
drop table {scratch}
