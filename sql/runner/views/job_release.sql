-- Contains the releases whose living workers run a job: the job, the program and the release. Runs that one release
-- cannot decode are left to another one.
create or replace view job_release with (security_invoker = true) as
select j.name as job, w.program, w.release
from worker w, unnest(w.jobs) j (name)
where w.held_at_death is null and w.heartbeat_at > pg_catalog.now() - interval '18 seconds'
