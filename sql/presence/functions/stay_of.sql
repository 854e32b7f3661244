-- The length of a stay in whole seconds; 0 while it lasts.
create or replace function stay_of(arrival timestamptz, departure timestamptz) returns bigint
language sql immutable parallel safe
return coalesce(floor(extract(epoch from departure - arrival))::bigint, 0)
