-- Sets the trace context for the events that this transaction writes after the statement. $1: a W3C traceparent. Rows:
-- one row. Locks: none. The setting lasts until the transaction ends.
select set_config('baton.traceparent', $1, true)
