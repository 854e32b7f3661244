-- Corrects next occurrences that are too late. $1: the names of the jobs. $2: the names of the schedules. $3: the stored next
-- occurrences. $4: the correct next occurrences. If a schedule has changed since the caller read it, the statement does not
-- change the schedule. Rows: one row with the number of updated schedules. Locks: the rows of the schedules, SKIP LOCKED,
-- because another worker may be firing or correcting a schedule. Index: schedule_pkey.
with late as (
  select s.job, s.name, g.next_at
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[]) as g (job, name, stored, next_at)
  join schedule s on s.job = g.job and s.name = g.name and s.next_at = g.stored
  for update of s skip locked
)
update schedule s set next_at = late.next_at from late where s.job = late.job and s.name = late.name
