-- The current UTC day by the domain clock. Rows: one: days since 1970-01-01. Locks: none.
select ((domain_now() at time zone 'UTC')::date - date '1970-01-01')::bigint
