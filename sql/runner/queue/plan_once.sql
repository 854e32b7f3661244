-- Makes the server plan each statement of this transaction only once per session. By default, the server plans a
-- statement again for each of the statement's first five executions. Planning a poll takes ten times as long as
-- executing the poll on a short queue. The setting applies until the end of the transaction. Rows: one row. Locks:
-- none.
select set_config('plan_cache_mode', 'force_generic_plan', true)
