-- Lists schedules, ordered by job and name. $1: the job, or null for all jobs. $2 and $3: the job and the name after
-- which the list starts. $4: the maximum number of schedules. Rows: job, name, expression, time zone, policy for missed
-- occurrences, next occurrence and last occurrence, each with its time of firing. The other columns are the time of the
-- pause (or null), the delay in seconds, source, key, and end. Times are in UTC, in ISO 8601 format. Locks: none.
-- Indexes: schedule_pkey, schedule_delay_pkey.
select s.job, s.name, s.expression, s.time_zone, s.missed,
  iso_text(s.next_at),
  to_char((s.next_at + length.seconds * interval '1 second') at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  iso_text(s.last_at),
  iso_text(s.last_fired_at),
  iso_text(s.paused_at),
  length.seconds::bigint,
  s.source, s.key, iso_text(s.until)
from schedule s
left join schedule_delay d using (job),
  lateral (
    select least(extract(epoch from coalesce(d.delay, '0'))::double precision, 31000000000) as seconds) length
where ($1::text is null or s.job = $1) and (s.job, s.name) > ($2, $3)
order by s.job, s.name
limit $4
