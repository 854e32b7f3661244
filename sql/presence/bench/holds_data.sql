-- Whether this part of the schema contains data. If so, the bench measures nothing here. Rows: one. Locks: none.
select exists (select from users) or exists (select from groups)
