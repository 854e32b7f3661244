-- Returns why a cron expression is invalid, as `field: reason`, or null if the expression is valid. The rules and the
-- texts are those of the type Cron in Swift, and a test compares both on thousands of expressions. The function exists
-- in addition to the Swift code, so that the caller's own transaction refuses an expression that no worker could read.
-- Words are separated by ASCII white space only. Locks: none.
create or replace function cron_fault(expression text) returns text
language plpgsql immutable strict as $$
declare
  kinds constant text[] := '{minute,hour,day of month,month,day of week}';
  lows constant integer[] := '{0,0,1,1,0}';
  highs constant integer[] := '{59,23,31,12,7}';
  months constant text[] := '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}';
  weekdays constant text[] := '{sun,mon,tue,wed,thu,fri,sat}';
  month_lengths constant integer[] := '{31,29,31,30,31,30,31,31,30,31,30,31}';
  words text[] := array_remove(regexp_split_to_array(expression, e'[ \\t\\n\\v\\f\\r]+'), '');
  item text;
  base text;
  step text;
  bound text;
  number integer;
  first_number integer;
  last_number integer;
  is_range boolean;
  first_day integer := 32;
  longest_month integer := 0;
begin
  if octet_length(expression) > 1000 then
    return 'fields: there are more than 1000 bytes';
  end if;
  if cardinality(words) = 1 and words[1] like '@%' then
    return case when lower(words[1] collate "C") = any (
      '{@hourly,@daily,@midnight,@weekly,@monthly,@yearly,@annually}') then null
      else 'shortcut: it is not @hourly, @daily, @weekly, @monthly or @yearly' end;
  end if;
  if cardinality(words) <> 5 then
    return format('fields: there are %s of 5: minute, hour, day of month, month, day of week', cardinality(words));
  end if;
  for field in 1..5 loop
    foreach item in array string_to_array(words[field], ',') loop
      base := split_part(item, '/', 1);
      step := case when item like '%/%' then substr(item, length(base) + 2) end;
      is_range := base = '*' or base like '%-%';
      if base = '*' then
        -- The day of week 7 is a second name of Sunday.
        first_number := lows[field];
        last_number := case when field = 5 then 6 else highs[field] end;
      else
        first_number := null;
        foreach bound in array array[split_part(base, '-', 1)]
          || case when is_range then substr(base, position('-' in base) + 1) end loop
          exit when bound is null;
          number := coalesce(
            array_position(case field when 4 then months when 5 then weekdays end, lower(bound collate "C"))
              - 1 + lows[field],
            case when bound ~ '^[0-9]{1,4}$' then bound::integer end);
          if number is null then
            return kinds[field] || ': ' || case when bound = '' then 'a number is missing'
              else format('''%s'' is not a number or a name', bound) end;
          end if;
          if number not between lows[field] and highs[field] then
            return format('%s: %s is not in %s-%s', kinds[field], number, lows[field], highs[field]);
          end if;
          last_number := number;
          first_number := coalesce(first_number, number);
        end loop;
        if field = 5 and is_range and last_number = 0 and first_number > 0 then
          last_number := 7;
        end if;
        if first_number > last_number then
          return format('%s: the range ''%s'' runs backwards', kinds[field], base);
        end if;
      end if;
      if step is not null and not is_range then
        return format('%s: a step follows * or a range, not ''%s''', kinds[field], base);
      end if;
      if step !~ '^[0-9]{1,4}$' or step ~ '^0+$' then
        return format('%s: ''%s'' is not a step', kinds[field], step);
      end if;
      if field = 3 then
        first_day := least(first_day, first_number);
      elsif field = 4 then
        longest_month := greatest(longest_month, (
          select max(month_lengths[m]) from generate_series(first_number, last_number, coalesce(step::integer, 1)) m));
      end if;
    end loop;
  end loop;
  -- If both day fields are restricted, a day of the week is sufficient.
  if (words[3] like '*%' or words[5] like '*%') and first_day > longest_month then
    return format('day of month: no month of ''%s'' has a day of ''%s''', words[4], words[3]);
  end if;
  return null;
end $$
