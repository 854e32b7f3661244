-- Whether a user with that id or name exists. $1 id or name. Rows: one. Locks: none.
select exists (select from users where id = $1 or display_name = $1)
