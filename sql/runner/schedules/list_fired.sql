-- Lists which of the given occurrences have fired. $1: the job's name. $2: the schedule's name. $3: the times of the
-- occurrences. Rows: the time of each fired occurrence. Locks: none. Index: occurrence_pkey.
select scheduled_at from occurrence
where job = $1 and name = $2 and scheduled_at = any ($3) and outcome <> 'skipped'
order by scheduled_at
