-- Takes out a schedule that its job has no more. $1 job, $2 its name. Rows: the number.
-- Locks: its row. What it has fired stays.
delete from schedule where job = $1 and name = $2
