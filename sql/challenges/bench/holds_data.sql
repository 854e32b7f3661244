-- Whether a Baton is in use: then its server is not one to measure on.
-- Rows: one. Locks: none.
select exists (select from groups) or exists (select from users) or exists (select from workout)
  or exists (select from event) or exists (select from run)
