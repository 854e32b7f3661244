-- Whether a schema contains events or runs. If so, its server is in use, and the bench must not measure on it. Rows:
-- one. Locks: none.
select exists (select from event) or exists (select from run)
