-- Registers this session, so that the publishers of a feed wake it after COMMIT. $1: the feed's name. Rows: one row
-- with a boolean that is true if publishers now wake the session, and false if the caller must try again. If NOTIFY is
-- not possible, the boolean is null. Locks: the feed's advisory lock, which the session holds in shared mode. The
-- statement does not wait for the lock. A session that already holds the feed's advisory lock must not execute the
-- statement.
select observe($1)
