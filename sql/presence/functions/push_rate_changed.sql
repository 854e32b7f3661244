-- If the configured push rate has changed, rewrites the limits of the jobs that send push notifications. The write
-- fires the limit_pushes trigger, which replaces the declared rate with the configured rate.
create or replace function push_rate_changed() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update job_limit l set burst = new.pushes_a_second
  where l.job in ('push-message', 'announce-first-arrival', 'deliver-message', 'deliver-first-arrival',
    'push-webhook');
  return null;
end $$
