-- Returns whether the maximum number of a group's runs are already running, or null if groups of the job are not
-- limited.
create or replace function is_group_full(job text, group_key text) returns boolean
language sql stable
return (
  select l.group_concurrency <= (
    select count(*) from run r
    where r.job = l.job and r.state = 'running' and r.group_key = coalesce(is_group_full.group_key, ''))
  from job_limit l
  where l.job = is_group_full.job and l.group_concurrency is not null)
