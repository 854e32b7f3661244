-- Workers record which jobs fail for a common reason, and which attempts were snoozed. Polls find due runs of split
-- batches without reading runs that are due later.

-- A job whose runs all fail for the same reason in one worker.
create type common_failure as (job text, reason text, since timestamptz, failures bigint);
alter table worker
  -- Written by the worker when it changes, at most once a second.
  add column common_failures common_failure[] not null default '{}';

-- Whether the job postponed the run, so that the attempt does not count. The error is then the job's reason.
alter table failed_attempt add column is_snooze boolean not null default false;

-- Only runs of split batches, and runs that are executed alone, have entries.
create index run_split on run (job, due) where state = 'ready' and batch_limit > 0;
create index run_alone on run (job, due) where state = 'ready' and batch_limit = -1;
