-- Returns the order in which the runs of a job must be claimed: `group`, `limit`, `priority` or `plain`. The order is
-- `plain` if the job has no limits and all its runs have the same priority.
create or replace function claim_order(job text) returns text
language sql stable
return case
  when exists (select from run r where r.job = claim_order.job and r.is_held) then 'group'
  else coalesce(
    (select case when l.group_concurrency is null and l.group_interval is null then 'limit' else 'group' end from job_limit l
      where l.job = claim_order.job),
    (select case when cardinality(j.priorities) > 1 then 'priority' end from job j
      where j.name = claim_order.job),
    'plain') end
