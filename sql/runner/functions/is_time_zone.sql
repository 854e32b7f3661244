-- Returns whether the server knows a time zone with exactly this name, or null for null. A name without digits is a
-- time zone if the setting TimeZone accepts it unchanged. Names with digits are searched in pg_timezone_names, because
-- the setting also accepts texts such as `FOO+3`. A query of that view takes about 60 ms, because it reads about a
-- thousand files.
create or replace function is_time_zone(name text) returns boolean
language plpgsql strict set timezone = 'UTC' as $$
begin
  if name ~ '[0-9]' then
    return exists (select from pg_timezone_names z where z.name = is_time_zone.name);
  end if;
  -- PostgreSQL restores the setting when the function returns.
  return set_config('TimeZone', name, true) = name;
exception when invalid_parameter_value then
  return false;
end $$;
