-- Registers this session for wake-ups by the publishers of a feed, from COMMIT on. $1: the name of the feed. Rows: one
-- row with true if publishers now wake the session, false if the caller must try again, or null if NOTIFY is not
-- possible. Locks: a shared advisory lock of the session, without waiting. A session that already holds the lock must
-- not execute the statement.
select observe($1)
