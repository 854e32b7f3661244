-- Returns the group of a run that was not created from events, or null if the job has no limits.
-- needs: group_of
create or replace function run_group(job text, key text, payload jsonb) returns text
language sql stable
return (
  select group_of(l.group_field, l.group_separator, l.group_part, run_group.key, run_group.payload)
  from job_limit l
  where l.job = run_group.job)
