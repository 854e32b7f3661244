-- What the committed steps of a run in progress have done, in all attempts. A crash loses the memory of the worker, so
-- the history of a run could only report its last attempt. Only runs of jobs that store history have a row.
create table run_progress (
  run_id bigint primary key,
  -- The start of the attempt that committed the first step.
  started_at timestamptz not null,
  -- The duration of the committed steps.
  duration_ms bigint not null check (duration_ms >= 0),
  report jsonb not null,
  written_at timestamptz not null default now()
);
