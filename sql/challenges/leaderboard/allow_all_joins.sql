-- Undoes forbid_merge_and_nested_loop_joins: the later statements of the transaction find single rows by index, and
-- with hash joins alone they would read whole tables. Rows: one. Locks: none. It lasts until the end of the
-- transaction.
select set_config('enable_mergejoin', 'on', true), set_config('enable_nestloop', 'on', true)
