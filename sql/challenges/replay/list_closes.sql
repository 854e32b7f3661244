-- Lists the times on the development clock at which the stored boards were closed, oldest first. Rows: the time of the
-- close, and a boolean. The boolean is true if the oldest workout is older than the oldest stored board, which means
-- that boards of earlier weeks have been deleted. Locks: none. The statement reads all stored boards and all workouts.
-- A replay executes the statement once.
select closed_at,
  (select min(performed_at) from workout) < (select min(starts_at) from challenge)
from challenge
where closed_at is not null
group by closed_at
order by closed_at
