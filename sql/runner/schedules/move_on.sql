-- Sets when schedules fire next, after they fired. $1 jobs, $2 names, $3 next occurrences (null: none), $4 the last
-- fired occurrence (null: none). Rows: one per schedule. Locks: their rows, which the caller has locked already.
update schedule s
set next_at = m.next_at, last_at = coalesce(m.last_at, s.last_at),
  last_fired_at = case when m.last_at is null then s.last_fired_at else moment.at end
from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[]) as m (job, name, next_at, last_at),
  (select domain_now() as at) moment
where s.job = m.job and s.name = m.name
