-- Ends observe: publishers no longer wake this session. Rows: one. Locks: releases those of observe; this session holds
-- no other advisory lock.
select stop_observing()
