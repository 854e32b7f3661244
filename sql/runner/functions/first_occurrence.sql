-- Returns the first occurrence after now of a schedule that a program declares. `job` and `name` are used only in error
-- messages. A time zone that the server does not recognize is rejected (ZB017), because the schedule would never fire.
-- Locks: none.
-- needs: is_time_zone, next_occurrence
create or replace function first_occurrence(job text, name text, expression text, time_zone text) returns timestamptz
language plpgsql stable as $$
begin
  if not is_time_zone(time_zone) then
    raise exception 'there is no time zone %, in the schedule % of the job %', quote_literal(left(time_zone, 64)),
        quote_literal(left(name, 64)), quote_literal(left(job, 64))
      using errcode = 'ZB017',
        hint = 'Nothing was registered. Correct the name, or install the newest package tzdata on the server.';
  end if;
  return next_occurrence(expression, time_zone, domain_now());
end $$
