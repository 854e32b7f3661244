-- Whether a schema is in use: then its server is not one to measure on. Rows: one. Locks: none.
select exists (select from event) or exists (select from run)
