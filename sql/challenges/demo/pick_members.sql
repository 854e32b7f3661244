-- Selects members with recent workouts, for whom the demo records workouts. $1: the number of members. Rows: the id of
-- each user. Locks: none.
select user_id::text
from workout
where performed_at > domain_now() - interval '28 days'
group by user_id
order by count(*) desc, user_id
limit $1
