-- Members with recent workouts, for whom the demo records workouts. $1 how many. Rows: user ids. Locks: none.
select user_id::text
from workout
where performed_at > domain_now() - interval '28 days'
group by user_id
order by count(*) desc, user_id
limit $1
