-- Removes a schedule that was created at run time. $1: the job's name. $2: the schedule's name. Rows: one row with a
-- boolean that is true if the schedule existed. Locks: the schedule's row. Errors: ZB018.
select remove_schedule($1, $2)
