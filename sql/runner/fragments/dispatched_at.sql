-- Returns the time of the last dispatch. Polls could miss a run whose due time is before the last dispatch (fragment
-- front). If the server's clock was set back, the result is the current time. Rows: none, because the fragment is only
-- part of a statement. Locks: none.
(select case when dispatched_at > statement_timestamp() then statement_timestamp() else dispatched_at end
  from event_position order by id desc limit 1)
