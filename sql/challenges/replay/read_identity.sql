-- Reads the replay to which this development database belongs. Rows: one row with the clock, the replay's file, range
-- and step, and whether the replay closes weeks. If the database has no frozen development clock, no rows are returned.
-- Locks: none.
select d.clock, coalesce(r.file_digest, ''), coalesce(r.from_date::text, ''),
  coalesce(r.to_date::text, ''), coalesce(extract(epoch from r.step), 0)::bigint,
  coalesce(r.closes_weeks, d.fires_schedules)
from development d
left join replay r on true
where d.clock is not null
