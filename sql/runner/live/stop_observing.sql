-- Ends all wake-ups by publishers for this session. Rows: one empty row. Locks: none. The statement releases all
-- advisory locks of the session, which has no others than those of observe.
select stop_observing()
