-- Registers this session, so that the publishers of a feed wake the session after COMMIT. $1: the name of the feed.
-- Rows: one row with a boolean that is true if publishers now wake the session, and false if the caller must try again.
-- If NOTIFY is not possible, the boolean is null. Locks: a shared advisory lock of the session, for which the statement
-- does not wait. A session that already holds the lock must not execute the statement.
select observe($1)
