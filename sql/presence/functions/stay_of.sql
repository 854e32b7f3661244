-- Returns the length of a stay in whole seconds. Until the stay ends, the result is 0.
create or replace function stay_of(arrival timestamptz, departure timestamptz) returns bigint
language sql immutable parallel safe
return coalesce(floor(extract(epoch from departure - arrival))::bigint, 0)
