-- The instants at which stored boards were closed, oldest first, by the development clock. Rows: the instant, whether
-- boards of earlier weeks were removed since. Locks: none. It reads all stored boards and all workouts, once in each
-- replay.
select closed_at,
  (select min(performed_at) from workout) < (select min(starts_at) from challenge)
from challenge
where closed_at is not null
group by closed_at
order by closed_at
