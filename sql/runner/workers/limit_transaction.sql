-- Ends a work transaction that hangs, in the server. $1 milliseconds for one statement; a pause
-- between two may be 5 s longer, so that a job that waits in Swift is told first, and by us.
-- Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('statement_timeout', $1::bigint || 'ms', true),
  set_config('idle_in_transaction_session_timeout', $1::bigint + 5000 || 'ms', true)
