-- Returns which of some occurrences have fired. $1 job, $2 the schedule's name, $3 times. Rows: time. Locks: none.
-- Index: occurrence_pkey.
select scheduled_at from occurrence
where job = $1 and name = $2 and scheduled_at = any ($3) and outcome <> 'skipped'
order by scheduled_at
