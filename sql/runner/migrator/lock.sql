-- Ensures that only one migrator changes the schema. Each login can take any advisory lock, so an advisory lock would let
-- a login without rights stop all migrations. Readers of the table do not wait. Rows: none. Locks: the table migration,
-- until the end of the transaction. The lock also works through a pooler.
lock table migration in share row exclusive mode
