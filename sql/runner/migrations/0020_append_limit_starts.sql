-- The starts of jobs with a rate are appended instead of updated, so that a claim beside an old transaction does not read
-- all earlier versions of one row. A rate can also apply to each group of a job.

-- One row for each claim that started runs of a job with a rate, and for each group of these runs. Only the latest time
-- of a job or group counts. Workers remove the other rows.
create table limit_start (
  job text collate "C" not null,
  -- Null: the row counts for the rate of the whole job.
  group_key text,
  -- When a burst is possible again: each start moves the time by an interval.
  rested_at timestamptz not null
);
create index limit_start_newest on limit_start (job, group_key, rested_at);

-- The turns of groups that hold runs back, of jobs with a rate for each group. A claim reads only the turns that have
-- come, so a group that waits for its next start costs nothing.
create table held_group (
  id bigint generated always as identity,
  job text collate "C" not null,
  group_key text not null,
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
