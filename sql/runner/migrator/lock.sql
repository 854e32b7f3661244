-- Ensures that only one migrator at a time changes the schema. Each login can acquire any advisory lock, so with an advisory
-- lock, a login without privileges could stop all migrations. Readers of the table do not wait. Rows: none. Locks: the table
-- migration, until the end of the transaction. A session can also hold this lock through a pooler.
lock table migration in share row exclusive mode
