-- Returns whether the server knows a time zone with exactly this name, or null for null. A name is a time zone if the
-- setting TimeZone accepts it unchanged. The setting also accepts texts such as `FOO+3`, so names with digits must be
-- one of the few that exist. The files localtime, posixrules and Factory are not names of zones, because they have
-- another meaning on each server or none. The view pg_timezone_names would read about a thousand files for 60 ms.
create or replace function is_time_zone(name text) returns boolean
language plpgsql strict set timezone = 'UTC' as $$
begin
  if octet_length(name) > 64 or name ~ '(^|/)(localtime|posixrules|Factory)$'
    or name ~ '[0-9]' and name !~ ('^(posix/)?(EST5EDT|CST6CDT|MST7MDT|PST8PDT|(Etc/)?GMT(0|[+-]0)'
      || '|Etc/GMT([+]([1-9]|1[0-2])|-([1-9]|1[0-4])))$') then
    return false;
  end if;
  -- PostgreSQL restores the setting when the function returns.
  return set_config('TimeZone', name, true) = name;
exception when invalid_parameter_value then
  return false;
end $$
