-- Pauses or resumes a schedule; its occurrences pass meanwhile and are missed. $1 job, $2 its
-- name, $3 whether.
-- Rows: 1; none where there is no such schedule. Locks: the schedule's row.
update schedule
set paused_at = case when $3 then coalesce(paused_at, m.at) end
from (select domain_now() as at) m
where job = $1 and name = $2
