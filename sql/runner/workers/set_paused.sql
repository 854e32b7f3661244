-- Pauses or resumes a job: while it is paused no worker claims its runs. $1 job, $2 whether to pause. Rows: one:
-- whether it was paused before; none if the job does not exist. Locks: the job's row.
update job j
set paused_at = case when $2 then coalesce(j.paused_at, m.at) end
from (
  select name, paused_at is not null as was_paused, now() as at from job where name = $1 for update
) m
where j.name = m.name
returning m.was_paused
