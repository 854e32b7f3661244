-- Waits until no other transaction claims runs of a job with limits. Until COMMIT, only this transaction may count and
-- claim runs of the job. An advisory lock is used instead of a row lock, so that a claim of no runs writes nothing. The
-- runs must be counted by a separate statement, which sees the claims of the previous transaction. $1 is the job. Rows:
-- one row. Locks: an advisory lock for the schema and the job, until the end of the transaction.
select pg_advisory_xact_lock(hashtextextended('baton turn ' || current_schema() || ' ' || $1, 0))
