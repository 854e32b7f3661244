-- Limits how long a transaction waits for a lock. $1: the limit in ms, or null for the current setting. Without this
-- limit, a locked row could delay heartbeats, which use the same connection, or the dispatch of events, which waits for
-- the runs that the transaction has locked. Rows: one row. Locks: none. The setting lasts until the transaction ends.
select set_config('lock_timeout', coalesce($1::bigint || 'ms', current_setting('lock_timeout')), true)
