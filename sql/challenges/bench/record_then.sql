-- Records a workout that was completed just now or in the last second of the previous week. $1: the user's id. $2: the
-- workout's id. $3: true if the workout belongs to the previous week. Rows: one row with the outcome of record_workout.
-- Locks: see docs/internals/write-path.md.
select outcome::text
from record_workout($1, $2,
  case when $3 then (week_of(domain_now())::timestamp - interval '1 second') at time zone 'UTC' end)
