-- Pauses or resumes a job: while it is paused no worker claims its runs. $1 job, $2 whether.
-- Rows: 1; none where there is no such job. Locks: the job's row.
update job
set paused_at = case when $2 then coalesce(paused_at, m.at) end
from (select now() as at) m
where name = $1
