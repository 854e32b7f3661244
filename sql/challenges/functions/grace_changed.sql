-- Changes the delay of the schedule of close-week, so that the schedule fires when the grace period ends.
create or replace function grace_changed() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update schedule_delay set delay = new.grace where job = 'close-week';
  return null;
end $$
