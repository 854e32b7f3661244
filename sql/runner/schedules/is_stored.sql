-- Checks whether a schedule is stored. $1: the job's stored name. $2: the name of the schedule. Rows: one row with a
-- boolean. Locks: none. Index: schedule_pkey.
select exists (select from schedule where job = $1 and name = $2)
