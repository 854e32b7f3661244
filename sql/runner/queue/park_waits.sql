-- Activates the stored waits of a run that an attempt has just released with a Snooze, so that events can wake the run.
-- The statement is executed in the same transaction as the `release` statement. $1: the job's name. $2: the run's key.
-- $3: the run's id. $4: the names of the steps in which the attempt waits. The run becomes due no later than the first
-- timeout of the waits that the statement activates. The statement also appends the start of each wait to the event
-- log. The next dispatch then finds an event that was dispatched after the attempt had searched for the event. Rows:
-- one row with the number of waits. Locks: the waits, and the run, which release has already locked. Indexes: run_pkey,
-- event_wait_pkey, run_step_pkey.
with parked as (
  update event_wait w set attempt = r.attempt
  from run r
  where w.run_id = $3 and w.name = any ($4::text[])
    and r.job = $1 and r.key = $2 and r.state = 'running' and r.id = $3 and r.worker is null
    and not exists (select from run_step s where s.run_id = w.run_id and s.name = w.name)
  returning w.topic, w.event_key, w.expires_at
),
hurried as (
  update run r
  set due = p.due, backoff_until = p.due
  from (
    select greatest(min(server_time(expires_at)),
      -- include: after_commit
      ) as due
    from parked having count(*) > 0) p
  where r.job = $1 and r.key = $2 and r.state = 'running' and r.id = $3 and r.worker is null
    and r.due > p.due + interval '1 second'
)
select count(append_wait(topic, event_key, null, $3)) from parked
