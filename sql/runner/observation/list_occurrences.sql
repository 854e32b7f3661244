-- The newest 50 recorded occurrences of a schedule. $1 job, $2 its name. Rows: time, fired at, outcome. Locks: none.
-- Index: occurrence_pkey.
select scheduled_at, fired_at, outcome from occurrence
where job = $1 and name = $2
order by scheduled_at desc
limit 50
