-- When a process last had the code of a job, and when an operator retired the job.
alter table job
  -- When a process with the job's code last said that it has the job, accurate to an hour.
  add column registered_at timestamptz not null default now(),
  -- When an operator retired the job. Null: the job is not retired.
  add column retired_at timestamptz;

alter table runner_setting
  -- After this time without a process that registers a job, `status`, `doctor` and `check` name its runs and schedules.
  add column unregistered_after interval not null default '24 hours' check (unregistered_after >= '2 hours');
