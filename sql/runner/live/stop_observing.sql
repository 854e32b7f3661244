-- Unregisters this session from all feeds, so that publishers no longer wake it. Rows: one empty row. Locks: none. The
-- statement releases all advisory locks that observe has acquired for the session.
select stop_observing()
