-- Whether challenges are in use here. If so, the bench must not measure on this server. Rows: one. Locks: none.
select exists (select from groups) or exists (select from users) or exists (select from workout)
