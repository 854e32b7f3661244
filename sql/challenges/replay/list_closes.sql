-- When boards that are kept were closed, oldest first, by the development clock.
-- Rows: the instant, whether boards of earlier weeks are gone by now. Locks: none.
-- Reads the boards that are kept and all workouts, once a replay.
select closed_at,
  (select min(performed_at) from workout) < (select min(starts_at) from challenge)
from challenge
where closed_at is not null
group by closed_at
order by closed_at
