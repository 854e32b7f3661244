-- Waits for the turn to claim runs of a job with limits: until its COMMIT, only this transaction counts running runs.
-- It locks no row, so nothing is written if there is no room. This is a separate statement, so that the next one sees
-- the claims of the transaction that had the turn before. $1 job. Rows: one. Locks: advisory, of the schema and job,
-- until the end of the transaction.
select pg_advisory_xact_lock(hashtextextended('baton turn ' || current_schema() || ' ' || $1, 0))
