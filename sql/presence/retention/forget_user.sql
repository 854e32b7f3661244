-- Deletes the account of an anonymous user, if the user is still idle. $1: the user. Rows: one row with a boolean that
-- is true if the account was deleted. Locks: the rows that the function forget_user locks.
select forget_user($1)
