-- Returns the newest occurrence of a schedule after the instant `after` and not after `through`, or null if there is
-- none. The search goes backwards in windows of increasing size, because a long range can contain many occurrences.
-- `expression` and `time_zone` have the same meaning as in next_occurrence. Locks: none.
-- needs: next_occurrence
create or replace function newest_occurrence(expression text, time_zone text, after timestamptz, through timestamptz)
returns timestamptz
language plpgsql stable as $$
declare
  span interval := '1 minute';
  start timestamptz;
  instant timestamptz;
  newest timestamptz;
begin
  loop
    start := greatest(after, through - span);
    instant := next_occurrence(expression, time_zone, start);
    while instant <= through loop
      newest := instant;
      instant := next_occurrence(expression, time_zone, instant);
    end loop;
    if newest is not null or start <= after then
      return newest;
    end if;
    span := span * 2;
  end loop;
end $$
