-- Decides for each due occurrence of a schedule whether it fires or is skipped. The arrays `fired` and `skipped` are
-- sorted, oldest first. All occurrences before `next_at` have already been handled. `until` is the last possible
-- occurrence, or null if the schedule has no end. `delay` is the time between an occurrence and its firing, as an
-- interval without months and days. `following` is the next occurrence, or null if none follows.
-- docs/guides/schedules.md has the rules for missed occurrences. Locks: none.
-- needs: newest_occurrence, next_occurrence, occurrences_between
create or replace function schedule_firing(expression text, time_zone text, missed text, next_at timestamptz,
  until timestamptz, delay interval, now timestamptz,
  out fired timestamptz[], out skipped timestamptz[], out following timestamptz)
language plpgsql stable as $$
declare
  before constant timestamptz := next_at - interval '1 microsecond';
  due constant timestamptz := least(now - delay, until);
  -- Occurrences up to this time are more than 60 s late and count as missed.
  late constant timestamptz := now - delay - interval '60 seconds' - interval '1 microsecond';
  first timestamptz;
begin
  fired := '{}';
  skipped := '{}';
  if missed = 'all' then
    fired := occurrences_between(expression, time_zone, before, due, 100);
    following := next_occurrence(expression, time_zone, coalesce(fired[cardinality(fired)], due));
  elsif missed = 'skip' then
    skipped := occurrences_between(expression, time_zone, before, least(due, late), 1000);
    fired := occurrences_between(expression, time_zone, greatest(before, late), due, 1000);
    following := next_occurrence(expression, time_zone, due);
  else
    first := next_occurrence(expression, time_zone, before);
    following := first;
    if first <= due then
      fired := array[first];
      following := next_occurrence(expression, time_zone, first);
      if following <= due then
        fired := array[newest_occurrence(expression, time_zone, first, due)];
        following := next_occurrence(expression, time_zone, due);
      end if;
    end if;
  end if;
  if following > until then
    following := null;
  end if;
end $$
