-- What holds for whoever takes the cursor. The server ends this transaction where its client falls silent
-- between two statements, or nobody could fold. And the fold is planned once: its plan is the same for both
-- values, and planning it takes ten times as long as to fold one event.
-- Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('idle_in_transaction_session_timeout', '5s', true),
  set_config('plan_cache_mode', 'force_generic_plan', true)
