-- An age for workouts, so that old years of the ledger can be deleted.
--
-- In the transaction of the other migrations, so that a pooler can be migrated through. Writers of workouts wait while
-- the index is built. With many rows, create the index before the migration, by the same statement with `concurrently`.

-- How long workouts and their days are stored. Null: as long as the account.
alter table setting add column workout_age interval check (workout_age between '365 days' and '36600 days');

-- Retention goes from the oldest on. A BRIN index cannot give this order, and it finds too many pages once new workouts
-- are stored in the place of deleted ones. So this index also finds the workouts of a day for the statistics.
create index if not exists workout_age on workout (received_at);
drop index workout_received;
