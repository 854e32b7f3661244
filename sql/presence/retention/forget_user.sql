-- Deletes the account of an anonymous user, if the user is still idle. $1 is the user. Rows: one: whether the account
-- was deleted. Locks: those of forget_user.
select forget_user($1)
