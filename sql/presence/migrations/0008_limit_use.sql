-- Limits of use: each limits what one user, or all users together, can store. docs/whosthere/operating.md describes
-- them.
--
-- In the transaction of the other migrations, so that a pooler can be migrated through. Members cannot send messages
-- while the index on message is built, some seconds for two million messages.

alter table setting
  -- Groups, codes and sessions that one user may create in 24 hours.
  add column groups_a_day integer not null default 50 check (groups_a_day between 1 and 10000),
  add column invites_a_day integer not null default 100 check (invites_a_day between 1 and 10000),
  add column sessions_a_day integer not null default 50 check (sessions_a_day between 1 and 10000),
  -- Groups in which one user may be at the same time.
  add column groups_of_user integer not null default 200 check (groups_of_user between 1 and 10000),
  -- Messages that one user may send in an hour, to all groups.
  add column messages_an_hour integer not null default 600 check (messages_an_hour between 1 and 10000),
  -- New users with an account, new devices, and codes that are not there, of all users in one hour.
  add column accounts_an_hour integer not null default 20000
    check (accounts_an_hour between 1 and 100000000),
  add column devices_an_hour integer not null default 20000
    check (devices_an_hour between 1 and 100000000),
  add column attempts_an_hour integer not null default 100000
    check (attempts_an_hour between 1 and 100000000);

-- What one user created lately is found without what the user created before.
drop index group_creator;
create index group_creator on groups (created_by, created_at) where created_by is not null;
drop index invite_creator;
create index invite_creator on invite (created_by, created_at) where created_by is not null;
drop index session_of_user;
create index session_of_user on session (user_id, created_at);
drop index message_user;
create index message_user on message (user_id, created_at) where user_id is not null;

-- The counters of count_in_hour.
create sequence account_count;
create sequence device_count;
create sequence attempt_count;

-- A code has 80 bits now. The codes of 40 bits could be guessed, so they end here.
delete from invite;
alter table invite drop constraint invite_code_check,
  add constraint invite_code_check check (code ~ '^[0-9A-HJKMNP-TV-Z]{16}$');
