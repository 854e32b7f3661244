-- Adds the missing turns of groups with held runs, for jobs with a rate limit for each group. A turn can be missing if
-- a rate limit was added to a job with group limits, or if a dispatch committed late. $1 and $2: the job and the group
-- after which the search begins. $3: the maximum number of groups. Rows: one row with the number of new turns, the last
-- job, and the last group, which is null if the search has ended. Locks: the new rows. Indexes: run_held,
-- held_group_key.
with recursive held (job, group_key, number) as (
  (select r.job, r.group_key, 1 from run r
  where r.is_held and (r.job, r.group_key) > ($1, $2)
    and exists (select from job_limit where group_interval is not null)
  order by r.job, r.group_key limit 1)
  union all
  select n.job, n.group_key, h.number + 1 from held h, lateral (
    select r.job, r.group_key from run r
    where r.is_held and (r.job, r.group_key) > (h.job, h.group_key)
    order by r.job, r.group_key limit 1) n
  where h.number < $3
),
added as (
  insert into held_group (job, group_key, due)
  select h.job, h.group_key, now() from held h join job_limit l on l.job = h.job
  where l.group_interval is not null
    -- The newest turn is read first, because removed turns remain in the index while an old transaction is open.
    and (select true from held_group t where t.job = h.job and t.group_key = h.group_key
      order by t.due desc limit 1) is null
  returning 1
)
select (select count(*) from added), last.job, last.group_key
from (select) one left join held last on last.number = $3
