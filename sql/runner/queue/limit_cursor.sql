-- Sets up a transaction that locks event_cursor. If the client sends no statement for 5 s, the server ends the
-- transaction. Without this 5 s limit, a frozen worker could block the dispatch of all events. A generic plan is used,
-- because planning takes ten times as long as the dispatch of one event. Sequential scans are disabled, because a
-- generic plan does not know that a dispatch reads only a few events of a large log. Rows: one row. Locks: none. The
-- settings last until the transaction ends.
select set_config('idle_in_transaction_session_timeout', '5s', true),
  set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)
