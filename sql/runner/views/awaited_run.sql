-- Contains the runs for which a drain or a replay waits: all runs, except runs that were enqueued for a later time.
create or replace view awaited_run with (security_invoker = true) as
select job, key, state, backoff_until, worker from run
where state = 'running' or first_event_at is not null or run_at <= domain_now()
