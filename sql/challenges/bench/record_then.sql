-- Records a workout that ends now, or in the last second of the week before. $1 user, $2 workout id, $3 which (true:
-- the week before). Rows: one: the outcome. Locks: docs/internals/write-path.md.
select outcome::text
from record_workout($1, $2,
  case when $3 then (week_of(domain_now())::timestamp - interval '1 second') at time zone 'UTC' end)
