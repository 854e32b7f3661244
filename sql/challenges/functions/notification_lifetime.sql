-- Returns the time for which a notification is visible: 7 days, in hours, which have the same length in every time
-- zone.
create or replace function notification_lifetime() returns interval
language sql immutable parallel safe
return interval '168 hours'
