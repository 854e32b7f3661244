-- Returns the result of next_occurrence, or null if the schedule cannot be computed, for example because its time zone
-- is unknown. Locks: none.
-- needs: next_occurrence
create or replace function next_occurrence_or_null(expression text, time_zone text, after timestamptz)
returns timestamptz
language plpgsql stable as $$
begin
  return next_occurrence(expression, time_zone, after);
exception when invalid_parameter_value then
  return null;
end $$
