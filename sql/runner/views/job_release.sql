-- Contains each job with the program and release of a live worker that runs it. If a release cannot decode a run, the
-- run stays in the queue for another release. This view is used to check whether another release runs the job.
create or replace view job_release with (security_invoker = true) as
select j.name as job, w.program, w.release
from worker w, unnest(w.jobs) j (name)
where w.held_at_death is null and w.heartbeat_at > pg_catalog.now() - interval '18 seconds'
