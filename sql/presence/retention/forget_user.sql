-- Deletes the account of an anonymous user, if the user is still idle. $1: the user. Rows: one row with a boolean that
-- is true if the account was deleted. Locks: those of forget_user.
select forget_user($1)
