-- Allows all kinds of joins again until the transaction ends, after forbid_merge_and_nested_loop_joins. The later
-- statements of the transaction find single rows by index, and would read whole tables with hash joins only. Rows: one.
-- Locks: none.
select set_config('enable_mergejoin', 'on', true), set_config('enable_nestloop', 'on', true)
