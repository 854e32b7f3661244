-- Limits of use: each limits what one user, or all users together, can store. docs/gymrats/operating.md describes them.
--
-- In the transaction of the other migrations, so that a pooler can be migrated through. Writers of workouts wait while
-- the first index is built. With a large ledger, create this index before the migration, by the same statement with
-- `concurrently`: then no writer waits.

create index if not exists workout_local_date on workout (user_id, local_date);
-- The limit also counts workouts that boards do not show, so the index of the counted ones is not needed.
drop index workout_date;

alter table setting
  -- Workouts that the ledger takes of one user on one local date.
  add column workouts_a_day integer not null default 100 check (workouts_a_day between 1 and 10000),
  -- Edits of one workout, those that were refused included.
  add column edits_a_workout integer not null default 100 check (edits_a_workout between 1 and 10000),
  -- Groups and invites that one user may create in 24 hours.
  add column groups_a_day integer not null default 20 check (groups_a_day between 1 and 10000),
  add column invites_a_day integer not null default 50 check (invites_a_day between 1 and 10000),
  -- How often one user may join the same group in 24 hours.
  add column joins_a_day integer not null default 10 check (joins_a_day between 1 and 10000),
  -- New users, and invites that are not there, of all users in one hour.
  add column accounts_an_hour integer not null default 20000
    check (accounts_an_hour between 1 and 100000000),
  add column attempts_an_hour integer not null default 100000
    check (attempts_an_hour between 1 and 100000000);

-- What one user created in the last 24 hours is found without what the user created before.
drop index group_creator;
create index group_creator on groups (created_by, created_at) where created_by is not null;
drop index invite_creator;
create index invite_creator on invite (created_by, created_at);

-- The counters of count_in_hour.
create sequence account_count;
create sequence attempt_count;
