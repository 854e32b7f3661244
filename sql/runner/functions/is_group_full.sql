-- Returns true if no run of a group may start now because of the group's concurrency or rate limit. If the job's groups
-- have no limits, the result is null.
-- needs: group_cap
create or replace function is_group_full(job text, group_key text) returns boolean
language sql stable
return (
  select coalesce(coalesce(group_cap(l.job, coalesce(is_group_full.group_key, '')), l.group_concurrency) <= (
      select count(*) from run r
      where r.job = l.job and r.state = 'running' and r.group_key = coalesce(is_group_full.group_key, '')
        -- A waiting run with a checkpoint has the claim number -1.
        and r.claim_number >= 0), false)
    or coalesce(clock_timestamp() < (
      select s.rested_at from limit_start s
      where s.job = l.job and s.group_key = coalesce(is_group_full.group_key, '') and s.rested_at > now()
      order by s.rested_at desc limit 1) - (l.group_burst - 1) * l.group_interval, false)
  from job_limit l
  where l.job = is_group_full.job and (l.group_concurrency is not null or l.group_interval is not null))
