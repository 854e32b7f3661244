-- Settings for a claim only. $1 how long it waits for a lock, in ms, or null: work in progress may hold a key, and to
-- try again is cheaper than to wait. $2 whether COMMIT waits for the disk. Without that wait a server that crashes may
-- forget the claim: then the runs are ready as before, and the token finds nothing. Completed work is not forgotten,
-- because the work's own COMMIT waits for everything written before it. Work outside of the database needs the wait:
-- otherwise a crash could let two workers do it at the same time. The plan is made once: it is the same for all values,
-- and planning took a twentieth of a claim. Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('lock_timeout', coalesce($1::bigint || 'ms', current_setting('lock_timeout')), true),
  set_config('synchronous_commit',
    case when $2 then current_setting('synchronous_commit') else 'off' end, true),
  set_config('plan_cache_mode', 'force_generic_plan', true)
