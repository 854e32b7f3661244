-- Running runs by worker, and waiting runs by the end of their backoff. Both are few in a table that may hold millions
-- of timers: without these indexes, whatever looks for them reads all of it.

-- Not `where state = 'running'`: the planner would take it for an index of the statements that find runs by place or
-- key, and read all running runs for each. Only a running run has a worker.
create index run_running on run (worker) where worker is not null;
create index run_backoff on run (job, backoff_until) where state = 'ready' and backoff_until is not null;
