-- Checks whether a user with the id or the name exists. $1: the id or the name. Rows: one row. Locks: none.
select exists (select from users where id = $1 or display_name = $1)
