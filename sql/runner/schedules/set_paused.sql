-- Pauses or resumes a schedule. Occurrences during the pause count as missed. $1 job, $2 its name, $3 whether to pause.
-- Rows: one: whether it was paused before; none if the schedule does not exist. Locks: the schedule's row.
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
