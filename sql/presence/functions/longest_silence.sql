-- How long nothing is heard of who was checked in automatically until they are taken for gone.
create or replace function longest_silence() returns interval
language sql immutable parallel safe
return interval '12 hours'
