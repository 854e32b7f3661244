-- Registers a schedule or changes it. $1 job, $2 its name, $3 expression, $4 time zone or null, $5 missed, $6 the next
-- occurrence or null, $7 whether $6 replaces the stored next occurrence, $8 the payload of its runs as JSON or null.
-- Rows: 1. Locks: the schedule's row.
insert into schedule as s (job, name, expression, time_zone, missed, next_at, payload, in_development)
select $1, $2, $3, $4, $5, $6, $8::text::jsonb, exists (select from development)
on conflict (job, name) do update
set expression = excluded.expression, time_zone = excluded.time_zone, missed = excluded.missed,
  next_at = case when $7 then excluded.next_at else s.next_at end, payload = excluded.payload,
  in_development = excluded.in_development
