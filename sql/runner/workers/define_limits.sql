-- Stores or deletes the declared limits of a job. Limits that an operator has set remain (set_limits). A limit for each
-- group applies only while the job declares groups. While group queues contain runs, the row of the job's limits
-- remains, because claims of held runs need it. $1: the job's name. $2: the concurrency limit. $3: the concurrency
-- limit of a group. $4: the payload field that names the group. $5: the separator. $6: the part of the key. $7: the
-- interval between starts in microseconds. $8: the burst of the job. $9: the interval of each group. $10: the burst of
-- each group. $2 to $10 may be null. The caller must have called take_turn. Rows: 1 affected row, or 0 if nothing
-- changes. Locks: the row of the limits, the changed starts, and the changed turns.
with kept as materialized (
  select exists (select from run where job = $1 and is_held)
    or exists (
      select from job_limit
      where job = $1 and (set_concurrency is not null or set_group_concurrency is not null)) as is_kept
),
removed as (
  delete from job_limit
  where job = $1 and coalesce($2::integer, $3::integer, $8::integer, $10::integer) is null
    and not (select is_kept from kept)
),
-- If the groups have no rate limit, claims visit all groups with held runs and need no turns. Therefore, the statement
-- deletes the turns.
turn as (
  delete from held_group where job = $1 and $9::bigint is null
),
-- If the groups' rate changes, the waits from the old rate end. All turns become due, and the next claims set new
-- turns. A start delays the next start of its group by at most one interval of the new rate.
new_rate as materialized (
  select $9::bigint * interval '1 microsecond' as step, $10::integer as burst
  -- After the limits were removed, starts of the old rate remain without a row in job_limit.
  from (select) one left join job_limit l on l.job = $1
  where $9::bigint is not null
    and (l.group_interval, l.group_burst) is distinct from ($9::bigint * interval '1 microsecond', $10::integer)
),
due_turn as (
  update held_group set due = now()
  where job = $1 and due > now() and exists (select from new_rate)
),
bounded_start as (
  update limit_start s set rested_at = now() + n.burst * n.step
  from new_rate n
  where s.job = $1 and s.group_key is not null and s.rested_at > now() + n.burst * n.step
)
insert into job_limit as l (job, concurrency, group_concurrency, group_field, group_separator, group_part,
  start_interval, burst, group_interval, group_burst, declared_concurrency, declared_group_concurrency)
select $1, $2, $3, $4, $5, $6, $7::bigint * interval '1 microsecond', $8, $9::bigint * interval '1 microsecond', $10,
  $2, $3
where coalesce($2::integer, $3::integer, $8::integer, $10::integer) is not null or (select is_kept from kept)
on conflict (job) do update
set concurrency = coalesce(l.set_concurrency, excluded.concurrency),
  group_concurrency = case when coalesce(excluded.group_field, excluded.group_separator) is not null
    then coalesce(l.set_group_concurrency, excluded.group_concurrency) end,
  group_field = excluded.group_field, group_separator = excluded.group_separator,
  group_part = excluded.group_part, start_interval = excluded.start_interval, burst = excluded.burst,
  group_interval = excluded.group_interval, group_burst = excluded.group_burst,
  declared_concurrency = excluded.declared_concurrency,
  declared_group_concurrency = excluded.declared_group_concurrency
where (l.concurrency, l.group_concurrency, l.group_field, l.group_separator, l.group_part,
    l.start_interval, l.burst, l.group_interval, l.group_burst, l.declared_concurrency, l.declared_group_concurrency)
  is distinct from
  (coalesce(l.set_concurrency, excluded.concurrency),
    case when coalesce(excluded.group_field, excluded.group_separator) is not null
      then coalesce(l.set_group_concurrency, excluded.group_concurrency) end,
    excluded.group_field, excluded.group_separator, excluded.group_part, excluded.start_interval, excluded.burst,
    excluded.group_interval, excluded.group_burst, excluded.declared_concurrency,
    excluded.declared_group_concurrency)
