-- Lets publishers of a feed wake this session, from COMMIT on. $1 the feed. Rows: one: whether they do now; null:
-- nobody may notify here. Locks: an advisory lock of the session, shared, tried. Not where it is ours already.
select observe($1)
