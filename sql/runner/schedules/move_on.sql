-- Updates schedules that have fired. $1: the job names. $2: the schedules' names. $3: the next occurrences (null if the
-- schedule will not fire again). $4: the last fired occurrences (null if no occurrence has fired). Rows: one row with
-- the number of updated schedules. Locks: the schedules' rows, which the caller must have locked.
update schedule s
set next_at = m.next_at, last_at = coalesce(m.last_at, s.last_at),
  -- Only older releases store true in is_new.
  is_new = false,
  last_fired_at = case when m.last_at is null then s.last_fired_at else moment.at end
from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[]) as m (job, name, next_at, last_at),
  (select domain_now() as at) moment
where s.job = m.job and s.name = m.name
