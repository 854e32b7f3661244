-- Running runs by worker, and waiting runs by the end of their backoff. Both are few in a table that may hold millions
-- of timers: without these indexes, whatever looks for them reads all of it.

create index run_running on run (worker) where state = 'running';
create index run_backoff on run (job, backoff_until) where state = 'ready' and backoff_until is not null;
