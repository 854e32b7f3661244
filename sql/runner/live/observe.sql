-- Lets publishers of a feed wake this session, from COMMIT on. $1 the feed. Rows: one: whether they do now; null:
-- NOTIFY is not possible here. Locks: an advisory lock of the session, shared, tried. Not to be called if this session
-- already has it.
select observe($1)
