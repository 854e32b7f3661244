-- Locks a schedule until COMMIT, so that it does not fire, and is not changed or removed. $1: the job's name. $2: the
-- schedule's name. Rows: one row if the schedule exists. Locks: the schedule's row. Index: schedule_pkey.
select from schedule where job = $1 and name = $2 for update
