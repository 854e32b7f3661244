-- Sets up the transaction of a claim. $1: the maximum wait for a lock in ms, or null for the current setting. A new
-- claim takes less time than a long wait. If $2 is false, COMMIT does not wait for the disk. Without this wait, a crash
-- of the server may undo the claim, but the runs become ready again and the token becomes invalid. Completed work is
-- never lost, because the COMMIT of the work waits for all earlier writes. $2 must be true for effects, so that two
-- workers never perform the same effect after a crash. A generic plan saves 5 % of the claim's time, but does not know
-- the number of due runs. Without index order, a claim of ten runs would read and sort all due runs. Rows: one row.
-- Locks: none. The settings last until the end of the transaction.
select set_config('lock_timeout', coalesce($1::bigint || 'ms', current_setting('lock_timeout')), true),
  set_config('synchronous_commit',
    case when $2 then current_setting('synchronous_commit') else 'off' end, true),
  set_config('enable_bitmapscan', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true)
