-- Which of some occurrences have fired. $1 job, $2 times. Rows: time. Locks: none.
-- Index: occurrence_pkey.
select scheduled_at from occurrence
where job = $1 and scheduled_at = any ($2) and outcome <> 'skipped'
order by scheduled_at
