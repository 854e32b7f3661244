-- Whether challenges are in use here: then the server is not one to measure on. Rows: one. Locks: none.
select exists (select from groups) or exists (select from users) or exists (select from workout)
