-- Removes old occurrences that no query needs any more. $1 jobs, $2 names of their schedules, $3 before which
-- occurrence. Rows: the number; each firing removes about as many as it records. Locks: those rows, SKIP LOCKED. Index:
-- occurrence_pkey.
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
