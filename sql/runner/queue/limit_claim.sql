-- Sets up the transaction for a claim. $1: the maximum wait for a lock in ms, or null for the current setting. If $2 is
-- false, COMMIT does not wait for the disk, and a server crash can undo the claim. $2 must be true for effects, so that
-- two workers never perform the same effect after a crash. If the client sends no statement for 5 s, the server ends
-- the transaction. Without this 5 s limit, the locks of a frozen worker could block the dispatch of all events. A
-- generic plan saves 5 % of the claim's time. Bitmap scans are disabled, because a bitmap scan would read all due runs.
-- Rows: one row. Locks: none. The settings last until the transaction ends.
select set_config('idle_in_transaction_session_timeout', '5s', true),
  set_config('lock_timeout', coalesce($1::bigint || 'ms', current_setting('lock_timeout')), true),
  set_config('synchronous_commit',
    case when $2 then current_setting('synchronous_commit') else 'off' end, true),
  set_config('enable_bitmapscan', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true)
