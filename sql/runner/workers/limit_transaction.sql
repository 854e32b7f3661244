-- Sets up the transaction for a job's work. If the transaction hangs, the server ends it. $1: the limit for each
-- statement in ms. The limit on the idle time between statements is 5 s longer than $1, so the worker can cancel the
-- job first. $2: the origin of the work. $3: the W3C traceparent of the work. Events that the transaction writes
-- contain the origin and the traceparent. Rows: one row. Locks: none. The settings last until the transaction ends.
select set_config('statement_timeout', $1::bigint || 'ms', true),
  set_config('idle_in_transaction_session_timeout', $1::bigint + 5000 || 'ms', true),
  set_config('baton.origin', $2, true), set_config('baton.traceparent', $3, true)
