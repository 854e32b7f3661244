-- Ensures that only one migrator changes the schema at a time. The migrator's lock is not an advisory lock, because any
-- login could acquire an advisory lock and stop all migrations. Readers of the `migration` table do not wait. Rows:
-- none. Locks: the `migration` table, until the transaction ends. The table lock also works through a connection
-- pooler, which may change the session between transactions.
lock table migration in share row exclusive mode
