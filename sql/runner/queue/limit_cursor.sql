-- Settings for a transaction that takes the cursor. If its client sends nothing for 5 s between two statements, the
-- server ends it: otherwise no worker could fold. The fold is planned once: its plan is the same for both values, and
-- planning takes ten times as long as to fold one event. Rows: one. Locks: none. Lasts until the end of the
-- transaction.
select set_config('idle_in_transaction_session_timeout', '5s', true),
  set_config('plan_cache_mode', 'force_generic_plan', true)
