-- Returns the time without device reports after which an automatic presence ends.
create or replace function longest_silence() returns interval
language sql immutable parallel safe
return interval '12 hours'
