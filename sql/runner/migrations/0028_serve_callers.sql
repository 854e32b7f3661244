-- What callers of an API may ask about runs: the roles that may read or cancel the runs of each job, and the requests to
-- cancel runs that workers have not performed yet. Also the limits and pauses that operators set at run time.

-- Ids of runs are sequential, so a role that may read one run could guess the ids of all others. A grant is therefore
-- limited to one job.
create table job_grant (
  job text collate "C" not null,
  -- The name of the role. Members that inherit the role's rights have the grant too.
  role text collate "C" not null,
  may_cancel boolean not null,
  granted_at timestamptz not null default pg_catalog.now(),
  primary key (job, role)
);

-- A request is a row, not a change of the run: a caller's open transaction must lock neither a run, which could delay
-- every dispatch, nor the table `cancellation`, which would delay the workers.
create table cancel_request (
  id bigint generated always as identity primary key,
  run_id bigint not null,
  job text collate "C" not null,
  key text collate "C" not null,
  requested_at timestamptz not null default pg_catalog.now()
);
create index cancel_request_run on cancel_request (run_id);

-- Finds a dead run by one of its earlier ids, without reading the dead runs of other keys.
create index dead_run_key on dead_run (job, key);

-- Limits that an operator sets while the program runs. `concurrency` and `group_concurrency` are the limits that apply:
-- the limit that an operator has set, otherwise the limit that the job declares.
alter table job_limit
  add column declared_concurrency integer,
  add column declared_group_concurrency integer,
  add column set_concurrency integer check (set_concurrency > 0),
  add column set_group_concurrency integer check (set_group_concurrency > 0);
update job_limit set declared_concurrency = concurrency, declared_group_concurrency = group_concurrency;

-- Limits and pauses of single groups of jobs with limits per group.
create table group_limit (
  job text collate "C" not null,
  group_key text collate "C" not null,
  -- The number of concurrent runs of the group instead of the limit of all groups. Null: the limit of all groups.
  concurrency integer check (concurrency > 0),
  -- Since when no run of the group starts. Null: the group is not paused.
  paused_at timestamptz,
  primary key (job, group_key),
  check (concurrency is not null or paused_at is not null)
);
