-- Corrects the starts and the turns of groups, and the intervals of throttled keys, after the server's clock was set
-- back. While the clock was wrong, the server stored times that are now in the future. All future turns become due now,
-- and the next claims set new turns. A throttled key's time is deleted if it is later than any correct time. The caller
-- must have executed lock_group_rates. Rows: the number of changed starts. Locks: the changed rows. Index: none,
-- because the statement is executed only after the clock was set back.
with turn as (
  update held_group set due = now() where due > now() + interval '1 second'
),
recent as (
  delete from recent_run r
  using job j
  where j.name = r.job and r.free_at > now() + 2 * j.every + interval '1 second'
)
update limit_start s
set rested_at = now() + l.group_burst * l.group_interval
from job_limit l
where s.job = l.job and s.group_key is not null and l.group_interval is not null
  and s.rested_at > now() + l.group_burst * l.group_interval + interval '1 second'
