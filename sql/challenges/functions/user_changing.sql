-- Increments the version of a changed user, and records the times when the user starts and stops sharing workouts.
create or replace function user_changing() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  new.version := old.version + 1;
  if new.shares_workouts and not old.shares_workouts then
    new.consented_at := domain_now();
  elsif old.shares_workouts and not new.shares_workouts then
    new.has_paused := true;
  end if;
  return new;
end $$
