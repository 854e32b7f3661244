-- Parses a cron expression. Returns five texts, one for each field. If a field contains the number N, its text has a 1
-- at position N + 1. A sixth text is 1 if a day must match both the day of month and the day of week, because one of
-- these fields begins with `*`. Otherwise, the sixth text is 0. For an invalid expression, returns only one text with
-- the reason, as `field: reason`. The Swift type Cron applies the same rules and returns the same reasons. Programs use
-- the Swift type Cron to check their expressions before they connect. Fields are separated by ASCII white space only.
-- Locks: none.
create or replace function cron_fields(expression text) returns text[]
language plpgsql immutable strict as $$
declare
  kinds constant text[] := '{minute,hour,day of month,month,day of week}';
  lows constant integer[] := '{0,0,1,1,0}';
  highs constant integer[] := '{59,23,31,12,7}';
  months constant text[] := '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}';
  weekdays constant text[] := '{sun,mon,tue,wed,thu,fri,sat}';
  month_lengths constant integer[] := '{31,29,31,30,31,30,31,31,30,31,30,31}';
  words text[] := string_to_array(expression, ' ');
  word text;
  item text;
  base text;
  step text;
  bound text;
  bits text;
  found text;
  fields text[];
  low integer;
  high integer;
  number integer;
  first_number integer;
  last_number integer;
  pace integer;
  is_range boolean;
begin
  if octet_length(expression) > 1000 then
    return array['fields: there are more than 1000 bytes'];
  end if;
  if cardinality(words) <> 5 or '' = any (words) or expression ~ e'[\\t\\n\\v\\f\\r]' then
    words := array_remove(regexp_split_to_array(expression, e'[ \\t\\n\\v\\f\\r]+'), '');
  end if;
  if cardinality(words) = 1 and words[1] like '@%' then
    words := string_to_array(case lower(words[1] collate "C")
      when '@hourly' then '0 * * * *' when '@daily' then '0 0 * * *' when '@midnight' then '0 0 * * *'
      when '@weekly' then '0 0 * * 0' when '@monthly' then '0 0 1 * *'
      when '@yearly' then '0 0 1 1 *' when '@annually' then '0 0 1 1 *' end, ' ');
    if words is null then
      return array['shortcut: it is not @hourly, @daily, @weekly, @monthly or @yearly'];
    end if;
  end if;
  if cardinality(words) <> 5 then
    return array[format('fields: there are %s of 5: minute, hour, day of month, month, day of week', cardinality(words))];
  end if;
  for field in 1..5 loop
    word := words[field];
    low := lows[field];
    high := highs[field];
    bits := null;
    foreach item in array string_to_array(word, ',') loop
      pace := 1;
      base := item;
      step := null;
      if position('/' in item) > 0 then
        base := split_part(item, '/', 1);
        step := substr(item, length(base) + 2);
      end if;
      if base = '*' then
        -- Day of week 7 is another name for Sunday.
        is_range := true;
        first_number := low;
        last_number := case when field = 5 then 6 else high end;
      else
        is_range := position('-' in base) > 0;
        first_number := null;
        foreach bound in array case when is_range
          then array[split_part(base, '-', 1), substr(base, position('-' in base) + 1)] else array[base] end loop
          if bound ~ '^[0-9]{1,4}$' then
            number := bound::integer;
          else
            number := array_position(case field when 4 then months when 5 then weekdays end, lower(bound collate "C"))
              - 1 + low;
            if number is null then
              return array[kinds[field] || ': ' || case when bound = '' then 'a number is missing'
                else format('''%s'' is not a number or a name', bound) end];
            end if;
          end if;
          if number < low or number > high then
            return array[format('%s: %s is not in %s-%s', kinds[field], number, low, high)];
          end if;
          last_number := number;
          first_number := coalesce(first_number, number);
        end loop;
        if field = 5 and is_range and last_number = 0 and first_number > 0 then
          last_number := 7;
        end if;
        if first_number > last_number then
          return array[format('%s: the range ''%s'' runs backwards', kinds[field], base)];
        end if;
      end if;
      if step is not null then
        if not is_range then
          return array[format('%s: a step follows * or a range, not ''%s''', kinds[field], base)];
        end if;
        if step !~ '^[0-9]{1,4}$' or step ~ '^0+$' then
          return array[format('%s: ''%s'' is not a step', kinds[field], step)];
        end if;
        pace := least(step::integer, 60);
      end if;
      found := repeat('0', first_number)
        || substr(repeat('1' || repeat('0', pace - 1), last_number - first_number + 1), 1, last_number - first_number + 1)
        || repeat('0', high - last_number);
      bits := case when bits is null then found else (bits::varbit | found::varbit)::text end;
    end loop;
    if bits is null then
      return array[kinds[field] || ': a number is missing'];
    end if;
    fields := fields || bits;
  end loop;
  if substr(fields[5], 8) = '1' then
    fields[5] := overlay(fields[5] placing '1' from 1);
  end if;
  fields[5] := left(fields[5], 7);
  if words[3] not like '*%' and words[5] not like '*%' then
    return fields || '0'::text;
  end if;
  number := position('1' in fields[3]) - 1;
  -- If both day fields are restricted, a day that matches only the day of the week also counts.
  if number > 28 and not exists (
    select from unnest(month_lengths) with ordinality m (days, month)
    where m.days >= number and substr(fields[4], m.month::integer + 1, 1) = '1') then
    return array[format('day of month: no month of ''%s'' has a day of ''%s''', words[4], words[3])];
  end if;
  return fields || '1'::text;
end $$
