-- Restricts recompute_ranks to hash joins until the transaction ends. A plan that expects few rows would sort them, or
-- compare each row with each. Rows: one row. Locks: none.
select set_config('enable_mergejoin', 'off', true), set_config('enable_nestloop', 'off', true)
