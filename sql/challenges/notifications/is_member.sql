-- Checks whether a user exists. $1: the user's id or name. Rows: one row with a boolean that is true if the user
-- exists. Locks: none.
select exists (select from users where id = $1 or display_name = $1)
