-- Deletes a schedule that its job no longer declares. The recorded occurrences remain for some days. $1: the job's name. $2:
-- the schedule's name. Rows: one row with the number of deleted schedules. Locks: the row of the schedule. A schedule that was
-- created at run time is never deleted.
delete from schedule where job = $1 and name = $2 and source = 'program'
