-- Removes a schedule that its job no longer declares. $1 job, $2 its name. Rows: the number. Locks: its row. What it
-- has fired stays.
delete from schedule where job = $1 and name = $2
