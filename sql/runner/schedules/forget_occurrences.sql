-- Deletes old occurrences that no query needs. $1: the job names. $2: the schedules' names. $3: the earliest occurrence
-- that remains for each schedule. Rows: one row with the number of deleted occurrences. On average, each firing deletes
-- as many occurrences as it records. Locks: the deleted rows, SKIP LOCKED. Index: occurrence_pkey.
delete from occurrence o
using (
  select old.ctid as place
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as f (job, name, before),
    lateral (
      select ctid from occurrence
      where job = f.job and name = f.name and scheduled_at < f.before
      order by scheduled_at
      limit 1000
      for update skip locked) old
) gone
where o.ctid = gone.place
