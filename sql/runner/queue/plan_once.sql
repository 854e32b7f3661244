-- Makes the server plan the statements of this transaction only once in a session. Without the setting, the server plans
-- the first five executions of a statement for their values. Planning a poll takes ten times as long as a poll of a short
-- queue. Rows: one row. Locks: none. The setting lasts until the end of the transaction.
select set_config('plan_cache_mode', 'force_generic_plan', true)
