-- Settings for a work transaction. If it hangs, the server ends it, and its writes to tables that wake jobs record the
-- runs that caused them. $1 milliseconds for one statement; a pause between two statements may be 5 s longer, so that
-- the worker cancels a job that waits in Swift before the server does. $2 the origin and $3 the traceparent of the
-- work, for the events that it writes. Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('statement_timeout', $1::bigint || 'ms', true),
  set_config('idle_in_transaction_session_timeout', $1::bigint + 5000 || 'ms', true),
  set_config('baton.origin', $2, true), set_config('baton.traceparent', $3, true)
