-- Takes back forbid_merge_and_nested_loop_joins: what follows in its transaction finds single rows by index, and by hash
-- joins alone would read whole tables. Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('enable_mergejoin', 'on', true), set_config('enable_nestloop', 'on', true)
