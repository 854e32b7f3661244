-- Sets the trace context of the events that this transaction writes from now on. $1: a W3C traceparent. Rows: one row.
-- Locks: none. The setting lasts until the end of the transaction.
select set_config('baton.traceparent', $1, true)
