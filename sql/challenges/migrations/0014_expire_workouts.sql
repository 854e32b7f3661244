-- Adds an age for workouts, so that old years of the ledger can be deleted, and indexes for commands that name groups or
-- users.
--
-- The migration is in the transaction of the other migrations, so that a pooler can be migrated through. Writers of
-- these tables wait while the indexes are built. With many rows, create the indexes before the migration, by the same
-- statements with `concurrently`: then no writer waits.

-- How long workouts and their days are stored. Null: as long as the account.
alter table setting add column workout_age interval check (workout_age between '365 days' and '36600 days');

-- Retention deletes the oldest workouts first. A BRIN index cannot give this order, and it finds too many pages if new
-- workouts are stored in the place of deleted workouts. So this index also finds the workouts of a day for statistics.
create index if not exists workout_age on workout (received_at);
drop index workout_received;

-- Commands accept the name of a group or a user.
create index if not exists group_name on groups (name, id);
create index if not exists user_display_name on users (display_name, id);
