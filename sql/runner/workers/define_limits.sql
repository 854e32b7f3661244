-- Stores a job's limits, or removes them; equal ones are not written. While runs are held in the queues of groups, the
-- row stays without limits, because those runs are claimed by it. $1 job, $2 concurrency, $3 concurrency of a group, $4
-- field of the payload, $5 separator and $6 part of the key, $7 interval of starts in microseconds, $8 burst; each may
-- be null. Rows: 1; none if nothing changes. Locks: the limits' row.
with removed as (
  delete from job_limit
  where job = $1 and coalesce($2::integer, $3::integer, $8::integer) is null
    and not exists (select from run where job = $1 and is_held)
)
insert into job_limit as l (job, concurrency, group_concurrency, group_field, group_separator, group_part,
  start_interval, burst)
select $1, $2, $3, $4, $5, $6, $7::bigint * interval '1 microsecond', $8
where coalesce($2::integer, $3::integer, $8::integer) is not null
  or exists (select from run where job = $1 and is_held)
on conflict (job) do update
set concurrency = excluded.concurrency, group_concurrency = excluded.group_concurrency,
  group_field = excluded.group_field, group_separator = excluded.group_separator,
  group_part = excluded.group_part, start_interval = excluded.start_interval, burst = excluded.burst
where (l.concurrency, l.group_concurrency, l.group_field, l.group_separator, l.group_part,
    l.start_interval, l.burst) is distinct from
  (excluded.concurrency, excluded.group_concurrency, excluded.group_field, excluded.group_separator,
    excluded.group_part, excluded.start_interval, excluded.burst)
