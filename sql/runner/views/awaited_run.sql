-- Contains the runs that a drain or a replay waits for. The view excludes runs that were enqueued for a later time,
-- runs that wait for an event, and ready runs with the same key as an excluded run. The condition is a scalar subquery,
-- so that the planner searches for each run by its key.
create or replace view awaited_run with (security_invoker = true) as
select job, key, state, backoff_until, worker from run r
where (state = 'running' or first_event_at is not null or run_at <= domain_now())
  and (
    select true from run b
    join event_wait w on w.run_id = b.id and w.attempt = b.attempt and w.expires_at > domain_now()
    where b.job = r.job and b.key = r.key and b.state = 'running' and b.worker is null and b.due > pg_catalog.now()
    limit 1) is null
