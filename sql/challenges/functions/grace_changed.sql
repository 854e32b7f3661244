-- Sets the close-week job's delay to the changed grace period.
create or replace function grace_changed() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update schedule_delay set delay = new.grace where job = 'close-week';
  return null;
end $$
