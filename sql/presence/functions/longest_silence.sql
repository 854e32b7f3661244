-- The time after which an automatic presence ends if no device reports.
create or replace function longest_silence() returns interval
language sql immutable parallel safe
return interval '12 hours'
