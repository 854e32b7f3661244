-- Deletes a schedule that its job no longer declares. The recorded occurrences remain. $1: the job's name. $2: the
-- schedule's name. Rows: one row with the number of deleted schedules. Locks: the row of the schedule.
delete from schedule where job = $1 and name = $2
