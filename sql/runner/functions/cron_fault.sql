-- Returns why a cron expression is invalid, as `field: reason`, or null if the expression is valid. The function
-- cron_fields has the rules. The caller's own transaction refuses an expression that could not fire. Locks: none.
-- needs: cron_fields
create or replace function cron_fault(expression text) returns text
language sql immutable strict as $$
select case when cardinality(f.fields) = 1 then f.fields[1] end from cron_fields(expression) f (fields)
$$
