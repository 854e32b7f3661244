-- Pauses or resumes a job. Workers claim no runs of a paused job. $1: the job's name. $2: true to pause, false to
-- resume. Rows: one row with a boolean that is true if the job was already paused. If the job does not exist, no rows
-- are returned. Locks: the job's row.
update job j
set paused_at = case when $2 then coalesce(j.paused_at, m.at) end
from (
  select name, paused_at is not null as was_paused, now() as at from job where name = $1 for update
) m
where j.name = m.name
returning m.was_paused
