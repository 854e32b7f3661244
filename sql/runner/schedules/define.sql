-- Creates or updates a schedule. $1: the job's name. $2: the schedule's name. $3: the expression. $4: the time zone, or
-- null. $5: the policy for missed occurrences. $6: true if the first occurrence after now replaces the stored next
-- occurrence. $7: the payload of the schedule's runs as JSON, or null. Rows: 1 affected row. Locks: the schedule's row.
-- If a caller has created a schedule with the same name at run time, the statement changes nothing. Errors: ZB007 if
-- the payload is too large, and ZB017 if the server does not recognize the time zone.
insert into schedule as s (job, name, expression, time_zone, missed, next_at, payload, in_development)
select $1, $2, $3, $4, $5,
  case when $6 or not exists (select from schedule where job = $1 and name = $2) then first_occurrence($1, $2, $3, $4) end,
  $7::text::jsonb, exists (select from development)
-- The limit for the payload includes the scheduled_at field, which each firing adds.
from check_call(false, null, coalesce($7::text::jsonb, '{}') || '{"scheduled_at": "100000-01-01T00:00:00Z"}', null,
  null, null, format(', in the schedule %s of the job %s', quote_literal(left($2, 64)), quote_literal(left($1, 64))))
on conflict (job, name) do update
set expression = excluded.expression, time_zone = excluded.time_zone, missed = excluded.missed,
  next_at = case when $6 then excluded.next_at else s.next_at end, payload = excluded.payload,
  in_development = excluded.in_development
where s.source = 'program'
