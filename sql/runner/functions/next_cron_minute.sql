-- Returns the first local time at or after `since` that matches a cron expression. If no time in the next 400 years
-- matches, the result is null. `fields` is the result of cron_fields. `since` is a whole minute. The search skips whole
-- months, days and hours, and never tries individual minutes. Locks: none.
create or replace function next_cron_minute(fields text[], since timestamp) returns timestamp
language plpgsql immutable strict as $$
declare
  minutes constant text := fields[1];
  hours constant text := fields[2];
  month_start timestamp := date_trunc('month', since);
  first_day integer := extract(day from since);
  day_start timestamp := date_trunc('day', since);
  month integer;
  month_days text;
  weekdays text;
  hour integer;
  place integer;
begin
  -- The calendar repeats after 400 years (4,800 months).
  for turn in 1..4801 loop
    month := extract(month from month_start);
    if substr(fields[4], month + 1, 1) = '0' then
      place := position('1' in substr(fields[4], month + 2));
      -- If no later month of this year matches, the search continues in the first matching month of the next year.
      place := case when place > 0 then place else 11 - month + position('1' in fields[4]) end;
      month_start := month_start + make_interval(months => place);
      first_day := 1;
      day_start := null;
    end if;
    month_days := substr(fields[3], 2);
    if fields[5] <> '1111111' then
      weekdays := substr(repeat(fields[5], 6), extract(dow from month_start)::integer + 1, 31);
      month_days := case fields[6] when '1' then (month_days::varbit & weekdays::varbit)::text
        else (month_days::varbit | weekdays::varbit)::text end;
    elsif fields[6] = '0' then
      month_days := repeat('1', 31);
    end if;
    loop
      place := position('1' in substr(month_days, first_day));
      exit when place = 0;
      first_day := first_day + place - 1;
      if first_day > 28 and month_start + make_interval(days => first_day - 1) >= month_start + interval '1 month' then
        exit;
      end if;
      if place > 1 or day_start is null then
        -- The whole day is after `since`, so the first matching hour and minute of the day are the result.
        return month_start + make_interval(days => first_day - 1, hours => position('1' in hours) - 1,
          mins => position('1' in minutes) - 1);
      end if;
      hour := extract(hour from since);
      if substr(hours, hour + 1, 1) = '1' then
        place := position('1' in substr(minutes, extract(minute from since)::integer + 1));
        if place > 0 then
          return since + make_interval(mins => place - 1);
        end if;
      end if;
      place := position('1' in substr(hours, hour + 2));
      if place > 0 then
        return day_start + make_interval(hours => hour + place, mins => position('1' in minutes) - 1);
      end if;
      first_day := first_day + 1;
      day_start := null;
    end loop;
    month_start := month_start + interval '1 month';
    first_day := 1;
    day_start := null;
  end loop;
  return null;
end $$
