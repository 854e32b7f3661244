-- Writes the limits of the jobs that send pushes again if the rate of the setting changed. The trigger limit_pushes
-- replaces the values.
create or replace function push_rate_changed() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update job_limit l set burst = new.pushes_a_second
  where l.job in ('push-message', 'announce-first-arrival');
  return null;
end $$
