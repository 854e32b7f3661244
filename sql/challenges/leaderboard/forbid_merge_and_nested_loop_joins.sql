-- Restricts recompute_ranks to hash joins: a plan for few rows would sort, or compare each row with each. Rows: one.
-- Locks: none. It lasts until the end of the transaction.
select set_config('enable_mergejoin', 'off', true), set_config('enable_nestloop', 'off', true)
