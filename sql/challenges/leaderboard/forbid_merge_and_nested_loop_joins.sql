-- Keeps recompute_ranks to hash joins: a plan that was made for few rows would sort, or compare each
-- row with each. Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('enable_mergejoin', 'off', true), set_config('enable_nestloop', 'off', true)
