-- Returns why a cron expression is invalid, as `field: reason`, or null if the expression is valid. The cron_fields
-- function defines the rules for cron expressions. If a valid expression can never match a date, the caller's
-- transaction fails. Locks: none.
-- needs: cron_fields
create or replace function cron_fault(expression text) returns text
language sql immutable strict as $$
select case when cardinality(f.fields) = 1 then f.fields[1] end from cron_fields(expression) f (fields)
$$
