-- Counts a workout that was rejected because the user does not share workouts. The function stores only the UTC day of
-- the call.
create or replace function count_ignored(at timestamptz) returns void
language plpgsql as $$
begin
  insert into ignored_workout (day) values ((at at time zone 'UTC')::date);
end $$
