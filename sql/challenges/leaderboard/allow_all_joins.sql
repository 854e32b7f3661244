-- Allows all kinds of joins again after forbid_merge_and_nested_loop_joins, until the transaction ends. Later
-- statements of the transaction need nested loop joins to find single rows by index. Rows: one row. Locks: none.
select set_config('enable_mergejoin', 'on', true), set_config('enable_nestloop', 'on', true)
