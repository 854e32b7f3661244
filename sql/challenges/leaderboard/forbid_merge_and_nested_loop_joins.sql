-- Restricts recompute_ranks to hash joins until the transaction ends. In a plan for few rows, other joins would sort
-- all rows or compare all pairs of rows. Rows: one row. Locks: none.
select set_config('enable_mergejoin', 'off', true), set_config('enable_nestloop', 'off', true)
