-- Returns the time of the last dispatch. No run may get a due time before the last dispatch, because polls may already
-- have passed that time (fragment front). If the server's clock was set back, the result is the current time. Rows:
-- none, because the fragment is only a part of a statement. Locks: none.
(select case when dispatched_at > statement_timestamp() then statement_timestamp() else dispatched_at end
  from event_position order by id desc limit 1)
