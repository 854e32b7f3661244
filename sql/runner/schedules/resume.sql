-- Calls resume_schedule for a schedule that was created at run time. $1: the job's name. $2: the schedule's name. Rows:
-- one empty row. Locks: the schedule's row. Errors: ZB018.
select resume_schedule($1, $2)
