-- Stores or deletes the limits of a job. While group queues contain runs, the statement only clears the limits, because
-- claims of held runs need the row. $1: the job's name. $2: the concurrency limit. $3: the concurrency limit of a
-- group. $4: the payload field that names the group. $5: the separator in the key. $6: the part of the key. $7: the
-- interval between starts in microseconds. $8: the burst of the job. $9: the interval of each group. $10: the burst of
-- each group. $2 to $10 may be null. Rows: 1 affected row, or 0 if nothing changes. Locks: the row of the limits, and
-- the deleted turns.
with removed as (
  delete from job_limit
  where job = $1 and coalesce($2::integer, $3::integer, $8::integer, $10::integer) is null
    and not exists (select from run where job = $1 and is_held)
),
-- If groups have no rate limit, turns are deleted, because claims visit all groups with held runs.
turn as (
  delete from held_group where job = $1 and $9::bigint is null
)
insert into job_limit as l (job, concurrency, group_concurrency, group_field, group_separator, group_part,
  start_interval, burst, group_interval, group_burst)
select $1, $2, $3, $4, $5, $6, $7::bigint * interval '1 microsecond', $8, $9::bigint * interval '1 microsecond', $10
where coalesce($2::integer, $3::integer, $8::integer, $10::integer) is not null
  or exists (select from run where job = $1 and is_held)
on conflict (job) do update
set concurrency = excluded.concurrency, group_concurrency = excluded.group_concurrency,
  group_field = excluded.group_field, group_separator = excluded.group_separator,
  group_part = excluded.group_part, start_interval = excluded.start_interval, burst = excluded.burst,
  group_interval = excluded.group_interval, group_burst = excluded.group_burst
where (l.concurrency, l.group_concurrency, l.group_field, l.group_separator, l.group_part,
    l.start_interval, l.burst, l.group_interval, l.group_burst) is distinct from
  (excluded.concurrency, excluded.group_concurrency, excluded.group_field, excluded.group_separator,
    excluded.group_part, excluded.start_interval, excluded.burst, excluded.group_interval, excluded.group_burst)
