-- Lists the limits and pauses that operators have set. $1: the job's stored name, or null for all jobs. $2: the group,
-- or null for all groups and the job itself. Rows: the job, and the group (null: the job itself). Column 3: the
-- concurrency that an operator has set for the job or the group. Column 4: the concurrency that would apply without the
-- operator's value. Columns 5 and 6: the same values for each group of a job (null in a group's row). Column 7: the
-- time when an operator paused the group. Locks: none. Indexes: job_limit_pkey, group_limit_pkey.
select l.job, null::text, l.set_concurrency, l.declared_concurrency, l.set_group_concurrency, l.declared_group_concurrency,
  null::text
from job_limit l
where $2::text is null and ($1::text is null or l.job = $1)
  and coalesce(l.set_concurrency, l.set_group_concurrency) is not null
union all
select g.job, g.group_key, g.concurrency, l.group_concurrency, null::integer, null::integer, iso_text(g.paused_at)
from group_limit g
left join job_limit l on l.job = g.job
where ($1::text is null or g.job = $1) and ($2::text is null or g.group_key = $2)
order by 1, 2 nulls first
