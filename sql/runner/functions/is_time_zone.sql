-- Whether the server has a time zone of exactly this name; NULL for NULL. The view of all zones reads about a thousand
-- files, which takes some 60 ms. So only names with digits are searched there, because texts like `FOO+3` can be set
-- but are not zones. A name without digits is a zone if it can be set and is then shown unchanged.
create or replace function is_time_zone(name text) returns boolean
language plpgsql strict set timezone = 'UTC' as $$
begin
  if name ~ '[0-9]' then
    return exists (select from pg_timezone_names z where z.name = is_time_zone.name);
  end if;
  -- The setting lasts until the function returns.
  return set_config('TimeZone', name, true) = name;
exception when invalid_parameter_value then
  return false;
end $$;
