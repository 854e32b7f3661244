-- Sets the trace of the events that this transaction writes from here on. $1 a W3C traceparent. Rows: one. Locks: none.
-- Lasts until the end of the transaction.
select set_config('baton.traceparent', $1, true)
