-- For how long a notice is seen: 7 days in hours, which no session's time zone makes longer or shorter.
create or replace function notice_lifetime() returns interval
language sql immutable parallel safe
return interval '168 hours'
