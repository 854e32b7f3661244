-- Deletes a schedule that its job no longer declares. The recorded occurrences remain for seven days after they fired.
-- Rows: one row with the number of deleted schedules. Locks: the schedule's row. The statement never deletes a schedule
-- that was created at run time.
delete from schedule where job = $1 and name = $2 and source = 'program'
