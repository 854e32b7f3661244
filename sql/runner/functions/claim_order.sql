-- Returns `group`, `limit`, `priority` or `plain`: the order in which the runs of a job must be claimed. The order is
-- `plain` if the job has no limits and all its runs have the same priority. The function searches for held runs only if
-- the job's groups have no limits.
create or replace function claim_order(job text) returns text
language sql stable
return case
  when exists (select from job_limit l
    where l.job = claim_order.job and (l.group_concurrency is not null or l.group_interval is not null)) then 'group'
  when exists (select from run r where r.job = claim_order.job and r.is_held) then 'group'
  when exists (select from job_limit l where l.job = claim_order.job) then 'limit'
  when (select cardinality(j.priorities) > 1 from job j where j.name = claim_order.job) then 'priority'
  else 'plain' end
