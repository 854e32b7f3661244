-- Returns how long an automatic presence continues without device reports.
create or replace function longest_silence() returns interval
language sql immutable parallel safe
return interval '12 hours'
