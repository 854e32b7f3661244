-- Whether somebody uses this part of the schema: then nothing is measured here. Rows: one. Locks: none.
select exists (select from users) or exists (select from groups)
