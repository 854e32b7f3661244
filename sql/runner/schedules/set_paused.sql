-- Pauses or resumes a schedule. Occurrences during a pause count as missed. $1: the job's name. $2: the schedule's
-- name. $3: true to pause, false to resume. Rows: one row with a boolean that is true if the schedule was already
-- paused. If the schedule does not exist, no rows are returned. Locks: the schedule's row.
update schedule s
set paused_at = case when $3 then coalesce(s.paused_at, m.at) end
from (
  select job, name, paused_at is not null as was_paused, domain_now() as at
  from schedule
  where job = $1 and name = $2
  for update
) m
where s.job = m.job and s.name = m.name
returning m.was_paused
