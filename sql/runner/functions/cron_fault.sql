-- Returns why a cron expression is invalid, as `field: reason`, or null if the expression is valid. The function
-- cron_fields defines the rules. The transaction of the caller fails if an expression could never fire. Locks: none.
-- needs: cron_fields
create or replace function cron_fault(expression text) returns text
language sql immutable strict as $$
select case when cardinality(f.fields) = 1 then f.fields[1] end from cron_fields(expression) f (fields)
$$
