-- What holds for a work transaction: one that hangs is ended, in the server, and what it writes to tables that
-- wake jobs says by which runs it came. $1 milliseconds for one statement; a pause between two may be 5 s longer,
-- so that a job that waits in Swift is told first, and by us. $2 the origin, $3 the traceparent of
-- the work, for the events that it writes.
-- Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('statement_timeout', $1::bigint || 'ms', true),
  set_config('idle_in_transaction_session_timeout', $1::bigint + 5000 || 'ms', true),
  set_config('baton.origin', $2, true), set_config('baton.traceparent', $3, true)
