-- Reads one schedule. $1: the job's name. $2: the schedule's name. Rows: expression, time zone, policy for missed
-- occurrences, key, end, domain time. If the schedule does not exist, there are no rows. Locks: none. Index: schedule_pkey.
select expression, time_zone, missed, key, until, domain_now()
from schedule
where job = $1 and name = $2
