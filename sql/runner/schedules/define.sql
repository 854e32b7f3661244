-- Registers a schedule or changes it. $1 job, $2 expression, $3 time zone or null, $4 missed, $5 the
-- next occurrence or null, $6 whether it is computed anew: else the next one stays. $7 the payload of its
-- runs as JSON or null.
-- Rows: 1. Locks: the schedule's row.
insert into schedule as s (job, expression, time_zone, missed, next_at, payload, in_development)
select $1, $2, $3, $4, $5, $7::text::jsonb, exists (select from development)
on conflict (job) do update
set expression = excluded.expression, time_zone = excluded.time_zone, missed = excluded.missed,
  next_at = case when $6 then excluded.next_at else s.next_at end, payload = excluded.payload,
  in_development = excluded.in_development
