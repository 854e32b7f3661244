-- For how long a notification is seen: 7 days, in hours, which mean the same in every time zone.
create or replace function notification_lifetime() returns interval
language sql immutable parallel safe
return interval '168 hours'
