-- Allows all kinds of joins again after forbid_merge_and_nested_loop_joins, until the transaction ends. Later
-- statements of the transaction find single rows by index. If only hash joins were allowed, statements that find single
-- rows by index would read whole tables. Rows: one row. Locks: none.
select set_config('enable_mergejoin', 'on', true), set_config('enable_nestloop', 'on', true)
