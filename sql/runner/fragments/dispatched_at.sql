-- The time of the last dispatch, before which no run may become due: polls may have passed earlier places of the queue
-- (fragment front). If the server's clock was set back, the time is now. Rows: the rows of the statement that includes
-- the fragment. Locks: none.
(select case when dispatched_at > statement_timestamp() then statement_timestamp() else dispatched_at end
  from event_position order by id desc limit 1)
