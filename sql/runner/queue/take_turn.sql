-- Waits for the turn to claim runs of a job with limits: who has it is alone to count what runs until its
-- COMMIT. No row is locked, so where there is no room nothing is written. A statement of its own: the next
-- one sees what whoever had the turn before has claimed.
-- $1 job. Rows: one. Locks: advisory, of the schema and job, until the end of the transaction.
select pg_advisory_xact_lock(hashtextextended('baton turn ' || current_schema() || ' ' || $1, 0))
