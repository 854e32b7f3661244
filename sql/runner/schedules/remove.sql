-- Takes out the schedules of jobs that have none any more. $1 jobs. Rows: the number.
-- Locks: their rows. What they have fired stays.
delete from schedule where job = any ($1)
