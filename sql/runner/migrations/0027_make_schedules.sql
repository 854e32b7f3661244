-- Schedules that callers make at run time, in addition to the schedules that programs declare.

alter table schedule
  -- `program`: a program declares the schedule, and its registration updates and deletes the row. `sql`: a caller of the
  -- function `schedule` made the row, and no registration touches it.
  add column source text not null default 'program' check (source in ('program', 'sql')),
  -- The key of the schedule's runs. Null: the key is derived from the schedule's name.
  add column key text,
  -- The last instant at which an occurrence can be. Null: the schedule does not end.
  add column until timestamptz,
  -- True: next_at is the time of the call, and a worker still computes the first occurrence after that time. Only workers
  -- can compute occurrences, because SQL does not contain the rules.
  add column is_new boolean not null default false;

-- Polls read the first entry of each job, and firings read some hundred entries of each job.
create index schedule_due on schedule (job, in_development, next_at) where paused_at is null and next_at is not null;
-- Registrations and observations read the schedules of programs beside 100,000 schedules of callers.
create index schedule_declared on schedule (job, name) where source = 'program';
