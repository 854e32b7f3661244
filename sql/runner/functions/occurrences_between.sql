-- Returns the occurrences of a schedule that are later than `after` and not later than `through`, oldest first. The
-- result has at most `most` elements. `expression` and `time_zone` have the same meaning as in next_occurrence. A time
-- zone that the server does not recognize is an error (22023). Locks: none.
-- needs: is_time_zone, next_occurrence
create or replace function occurrences_between(expression text, time_zone text, after timestamptz, through timestamptz,
  most integer)
returns timestamptz[]
language plpgsql stable as $$
declare
  instant timestamptz := after;
  found timestamptz[] := '{}';
begin
  if not is_time_zone(time_zone) then
    raise exception 'the server does not know the time zone % of a schedule', quote_literal(left(time_zone, 64))
      using errcode = '22023', hint = 'Install the newest package tzdata on the server, or change the schedule.';
  end if;
  while cardinality(found) < most loop
    instant := next_occurrence(expression, time_zone, instant);
    exit when instant is null or instant > through;
    found := found || instant;
  end loop;
  return found;
end $$
