-- Retention deletes the counters of failed attempts to redeem a code, oldest first. A counter is needed for one hour,
-- and was stored as long as the account.
--
-- The migration is in the transaction of the other migrations, so that a pooler can be migrated through. Calls that use
-- a code wait while the index is built. With many rows, create the index before the migration, by the same statement
-- with `concurrently`: then no call waits.

create index if not exists invite_attempt_age on invite_attempt (began_at);
