-- Counts a change of a user, and notes when they agreed to share workouts again.
create or replace function user_changing() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  new.version := old.version + 1;
  if new.shares_workouts and not old.shares_workouts then
    new.consented_at := domain_now();
  end if;
  return new;
end $$
