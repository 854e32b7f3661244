-- Claims no longer read what earlier claims have left while an old transaction is open: the starts of jobs with a rate are
-- appended instead of updated, and claims of jobs with limits are numbered. A rate can also apply to each group of a job.

-- One row for each claim that started runs of a job with a rate, and for each group of these runs. Only the latest time
-- of a job or group counts. Workers remove the other rows.
create table limit_start (
  id bigint generated always as identity primary key,
  job text collate "C" not null,
  -- Null: the row counts for the rate of the whole job.
  group_key text collate "C",
  -- When a burst is possible again: each start moves the time by an interval.
  rested_at timestamptz not null
);
create index limit_start_newest on limit_start (job, group_key, rested_at);

-- The turns of groups that hold runs back, of jobs with a rate for each group. A claim reads only the turns that have
-- come, so a group that waits for its next start costs nothing.
create table held_group (
  id bigint generated always as identity primary key,
  job text collate "C" not null,
  group_key text collate "C" not null,
  due timestamptz not null
);
create index held_group_due on held_group (job, due, id);
create index held_group_key on held_group (job, group_key, due, id);

-- `job_limit.rested_at` is still read, because workers of the previous release write it until they are replaced.
alter table job_limit
  -- The rate of each group: the time between two starts, and the number of starts at the same time.
  add column group_interval interval check (group_interval > '0'),
  add column group_burst integer check (group_burst > 0),
  add constraint job_limit_group_rate check ((group_interval is null) = (group_burst is null));

-- Claims of jobs with limits are numbered. A worker knows the first claim that still runs, and counts from there. The
-- index entries of completed runs have lower numbers. The default is counted always: workers of the previous release do
-- not number their claims.
create sequence claim_number_seq;
alter table run add column claim_number bigint not null default 9223372036854775807;
drop index run_limited;
create index run_limited on run (job, group_key, claim_number) where state = 'running' and group_key is not null;
-- The condition has another form, so that the planner cannot use one index instead of the other.
create index run_claimed on run (job, claim_number) where state = 'running' and (group_key is null) is false;
drop function if exists claim_room(text);
