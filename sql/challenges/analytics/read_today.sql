-- Reads the current UTC day according to the domain clock. Rows: one row with the number of days since 1970-01-01.
-- Locks: none.
select ((domain_now() at time zone 'UTC')::date - date '1970-01-01')::bigint
