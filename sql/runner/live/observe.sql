-- Registers this session for wake-ups by the publishers of a feed, from COMMIT on. $1: the name of the feed. Rows: one
-- row, which is true if publishers now wake the session, and false if the caller must try again. If NOTIFY is not
-- possible, the result is null. Locks: a shared advisory lock of the session, without waiting. A session that already
-- holds the lock must not execute the statement.
select observe($1)
