-- Returns the time when a user's quiet hours end, or null outside quiet hours. Quiet hours start and end at local
-- times, and may span midnight. The end is computed from the local date, so daylight saving time does not move the end.
create or replace function quiet_end(moment timestamptz, zone_name text, starts time, ends time) returns timestamptz
language sql stable parallel safe
return case
  when starts < ends and (moment at time zone zone_name)::time >= starts
    and (moment at time zone zone_name)::time < ends
    or starts > ends and (moment at time zone zone_name)::time < ends
    then ((moment at time zone zone_name)::date + ends) at time zone zone_name
  when starts > ends and (moment at time zone zone_name)::time >= starts
    then ((moment at time zone zone_name)::date + 1 + ends) at time zone zone_name
  end
