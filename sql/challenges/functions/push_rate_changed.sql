-- If the configured rate of push notifications changed, writes the limits of the sending jobs again. The trigger
-- limit_pushes then replaces the values.
create or replace function push_rate_changed() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update job_limit l set burst = new.pushes_a_second
  where l.job in ('push-rank-change', 'push-notification', 'push-webhook');
  return null;
end $$
