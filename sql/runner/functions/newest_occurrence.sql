-- Returns the newest occurrence of a schedule after the instant `after` and not after `through`, or null if there is
-- none. The search first goes backwards in windows of increasing size, until a window contains an occurrence. A binary
-- search then finds the newest occurrence of the window, so the number of calls of next_occurrence grows only with the
-- logarithm of the range. `expression` and `time_zone` have the same meaning as in next_occurrence. Locks: none.
-- needs: next_occurrence
create or replace function newest_occurrence(expression text, time_zone text, after timestamptz, through timestamptz)
returns timestamptz
language plpgsql stable as $$
declare
  span interval := '1 minute';
  start timestamptz;
  instant timestamptz;
  newest timestamptz;
  low timestamptz;
  high timestamptz := through;
  -- A cron expression has at most one occurrence a minute, except around some clock changes.
  closest constant interval := case when time_zone is null then interval '1 second' else interval '1 minute' end;
begin
  loop
    start := greatest(after, through - span);
    newest := next_occurrence(expression, time_zone, start);
    exit when newest <= through or start <= after;
    span := span * 2;
  end loop;
  if newest <= through is not true then
    return null;
  end if;
  instant := next_occurrence(expression, time_zone, newest);
  if instant <= through is not true then
    return newest;
  end if;
  newest := instant;
  -- `newest` is an occurrence, and no occurrence follows between `high` and `through`.
  low := newest;
  while high - low > closest loop
    start := low + (high - low) / 2;
    instant := next_occurrence(expression, time_zone, start);
    if instant <= through then
      newest := instant;
      low := instant;
    else
      high := start;
    end if;
  end loop;
  loop
    instant := next_occurrence(expression, time_zone, newest);
    exit when instant <= through is not true;
    newest := instant;
  end loop;
  return newest;
end $$
