-- Lets no publisher wake this session any more. Rows: one. Locks: gives those of observe back; this session holds no
-- other of the kind.
select stop_observing()
