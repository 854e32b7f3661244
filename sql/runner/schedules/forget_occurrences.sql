-- Deletes old occurrences that no query needs. $1: the job names. $2: the schedules' names. $3: for each schedule, the
-- time before which an occurrence is old. A fired occurrence remains until its time of firing is also old, and a
-- backfilled one for 7 days. If the clock was fast, the record prevents a second run after the correction. Rows: one
-- row with the number of deleted occurrences. The statement reads at most the 1,000 oldest occurrences of each schedule.
-- Locks: the deleted rows, SKIP LOCKED. Index: occurrence_pkey.
delete from occurrence o
using (
  select old.ctid as place
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as f (job, name, before),
    lateral (
      select ctid, fired_at, outcome from occurrence
      where job = f.job and name = f.name and scheduled_at < f.before
      order by scheduled_at
      limit 1000) oldest,
    lateral (
      select ctid from occurrence
      where ctid = oldest.ctid
        and (oldest.outcome = 'skipped' or oldest.fired_at < f.before
          or oldest.outcome = 'backfilled' and oldest.fired_at < domain_now() - interval '7 days')
      for update skip locked) old
) gone
where o.ctid = gone.place
