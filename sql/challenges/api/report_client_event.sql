-- Counts what a phone reports. $1 actor, $2 the event's id, $3 kind, $4 milliseconds or null. Rows: one: whether it
-- counts. Locks: the user's row. Indexes: client_event_call, client_event_day.
select report_client_event($1, $2, $3, $4)
