-- Deletes schedules that were created at run time and will not fire again. $1: the job names. $2: the schedules' names.
-- Rows: one row with the number of deleted schedules. Locks: the schedules' rows, which the caller must have locked.
-- Index: schedule_pkey.
delete from schedule s
using unnest($1::text[], $2::text[]) as g (job, name)
where s.job = g.job and s.name = g.name and s.source = 'sql' and s.next_at is null
