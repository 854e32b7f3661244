-- Returns the newest thousand ids of an array. Without a limit, the array of a key that is enqueued continuously would
-- grow without bound.
create or replace function newest_ids(ids bigint[]) returns bigint[]
language sql immutable
return ids[greatest(1, cardinality(ids) - 999):]
