-- Sets or removes the limit or the pause for one group. $1: the job's stored name. $2: the group. $3: the group's
-- concurrency, or null if the limit for all groups applies. $4: true if the group is paused. Rows: none. Locks: the
-- group's row. The caller must have locked the row of the job's limits. Index: group_limit_pkey.
with removed as (
  delete from group_limit where job = $1 and group_key = $2 and $3::integer is null and not $4
)
insert into group_limit as g (job, group_key, concurrency, paused_at)
select $1, $2, $3, case when $4 then now() end
where $3::integer is not null or $4
on conflict (job, group_key) do update
set concurrency = excluded.concurrency, paused_at = case when $4 then coalesce(g.paused_at, excluded.paused_at) end
