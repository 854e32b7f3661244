-- How long a notification is visible: 7 days, written in hours, which are the same in every time zone.
create or replace function notification_lifetime() returns interval
language sql immutable parallel safe
return interval '168 hours'
