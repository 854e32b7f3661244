-- Returns the length of a stay in whole seconds, or 0 during the stay.
create or replace function stay_of(arrival timestamptz, departure timestamptz) returns bigint
language sql immutable parallel safe
return coalesce(floor(extract(epoch from departure - arrival))::bigint, 0)
