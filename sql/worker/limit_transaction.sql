-- Ends a work transaction that hangs, in the server. $1 a time with its unit, for one statement
-- and for one pause between two. Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('statement_timeout', $1, true),
  set_config('idle_in_transaction_session_timeout', $1, true)
