-- Counts the workouts that were received on the UTC day $1, by outcome. Each workout is counted once, on the UTC day on
-- which it was last received or edited. Rows: the day, the outcome (`deleted` if the user deleted the workout) and the
-- number of workouts. Locks: none. Index: workout_age.
select to_char(w.received_at at time zone 'UTC', 'YYYY-MM-DD'),
  case when w.is_deleted then 'deleted' else w.outcome::text end, count(*)
from workout w
where w.received_at >= $1::text::date::timestamp at time zone 'UTC'
  and w.received_at < ($1::text::date + 1)::timestamp at time zone 'UTC'
group by 1, 2
order by 1, 2
