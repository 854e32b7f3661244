-- Returns how long a notification is visible, which is 7 days. The interval is in hours, because days vary in length in
-- some time zones.
create or replace function notification_lifetime() returns interval
language sql immutable parallel safe
return interval '168 hours'
