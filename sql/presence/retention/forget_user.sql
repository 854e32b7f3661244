-- Deletes the account of an anonymous user if the user is still idle. $1: the user's id. Rows: one row with a boolean
-- that is true if the account was deleted. Locks: the user's attempts, the user's groups in order of id, then the user.
select forget_user($1)
