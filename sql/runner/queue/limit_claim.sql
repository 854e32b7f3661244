-- What holds for a claim alone. $1 how long it waits for a lock, in ms, or null: a key that runs may be held by
-- work in progress, and to look again is cheaper than to wait for that. $2 whether it waits for the disk.
-- And its COMMIT does not wait for the disk: a server that crashes at once forgets the claim, the
-- runs are ready as before, and the token finds nothing. What is done is never forgotten, because
-- the work's own COMMIT waits, also for all that was written before it. Not so for work outside of the
-- database, which a server that crashed would otherwise have done twice at once.
-- And it is planned once: its plan is the same for all values, and planning took a twentieth of it.
-- Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('lock_timeout', coalesce($1::bigint || 'ms', current_setting('lock_timeout')), true),
  set_config('synchronous_commit',
    case when $2 then current_setting('synchronous_commit') else 'off' end, true),
  set_config('plan_cache_mode', 'force_generic_plan', true)
