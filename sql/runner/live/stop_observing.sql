-- Unregisters this session from all feeds, so that publishers no longer wake the session. Rows: one empty row. Locks:
-- none. The statement releases all advisory locks of the session, which observe has acquired.
select stop_observing()
