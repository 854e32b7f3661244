-- Counts a workout that privacy refused: the UTC day on which it came, and nothing else of it.
create or replace function count_ignored(at timestamptz) returns void
language plpgsql as $$
begin
  insert into ignored_workout (day) values ((at at time zone 'UTC')::date);
end $$
