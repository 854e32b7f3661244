-- Lists the 50 most recent recorded occurrences of a schedule. $1: the job's name. $2: the schedule's name. Rows: the
-- scheduled time, the time of firing, the outcome. Locks: none. Index: occurrence_pkey.
select scheduled_at, fired_at, outcome from occurrence
where job = $1 and name = $2
order by scheduled_at desc
limit 50
