-- Returns whether the server knows a time zone with exactly this name, or null for a null name. A name is valid if the
-- setting TimeZone accepts the name unchanged. Since the setting TimeZone also accepts texts such as `FOO+3`, a name
-- with digits must be in the function's list of known names. Other characters than letters, digits, `_`, `/`, `+` and
-- `-` are refused, because the setting also accepts intervals. The names localtime, posixrules and Factory are refused,
-- because their meaning depends on the server. The view pg_timezone_names is not used, because it reads about a
-- thousand files in 60 ms.
create or replace function is_time_zone(name text) returns boolean
language plpgsql strict set timezone = 'UTC' as $$
begin
  if octet_length(name) > 64 or name !~ '^[A-Za-z0-9_/+-]+$' or name ~ '(^|/)(localtime|posixrules|Factory)$'
    or name ~ '[0-9]' and name !~ ('^(posix/)?(EST5EDT|CST6CDT|MST7MDT|PST8PDT|(Etc/)?GMT(0|[+-]0)'
      || '|Etc/GMT([+]([1-9]|1[0-2])|-([1-9]|1[0-4])))$') then
    return false;
  end if;
  -- PostgreSQL restores the setting TimeZone when the function returns.
  return set_config('TimeZone', name, true) = name;
exception when invalid_parameter_value then
  return false;
end $$
