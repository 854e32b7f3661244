-- Whether the server has a time zone of exactly this name; NULL for NULL. The view of all zones reads the files of a
-- thousand of them, some 60 ms, and is asked for names with digits alone: what can be set without a digit is a zone,
-- and is shown under its own name. `FOO+3` can be set too, and is none.
create or replace function is_time_zone(name text) returns boolean
language plpgsql strict set timezone = 'UTC' as $$
begin
  if name ~ '[0-9]' then
    return exists (select from pg_timezone_names z where z.name = is_time_zone.name);
  end if;
  -- Until the function returns.
  return set_config('TimeZone', name, true) = name;
exception when invalid_parameter_value then
  return false;
end $$;
