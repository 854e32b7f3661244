-- Lists the instants at which the stored boards were closed, by the development clock, oldest first. Rows: the instant,
-- and whether boards of earlier weeks were deleted in the meantime. Locks: none. The statement reads all stored boards
-- and all workouts, once in each replay.
select closed_at,
  (select min(performed_at) from workout) < (select min(starts_at) from challenge)
from challenge
where closed_at is not null
group by closed_at
order by closed_at
