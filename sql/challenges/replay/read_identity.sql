-- What makes this a development database of a replay. Rows: none in production, and where its clock
-- runs; else one: the clock, and the file, range, step and whether weeks close, of the replay that it
-- belongs to. Locks: none.
select d.clock, coalesce(r.file_digest, ''), coalesce(r.from_date::text, ''),
  coalesce(r.to_date::text, ''), coalesce(extract(epoch from r.step), 0)::bigint,
  coalesce(r.closes_weeks, d.fires_schedules)
from development d
left join replay r on true
where d.clock is not null
