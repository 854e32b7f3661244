-- Limits how long a transaction that reads cancellation requests waits for locks. $1: the limit in ms, or null for the
-- current setting. Without this limit, a locked table could delay heartbeats, which use this connection. Rows: one row.
-- Locks: none. The setting lasts until the transaction ends.
select set_config('lock_timeout', coalesce($1::bigint || 'ms', current_setting('lock_timeout')), true)
