-- The newest thousand ids. The number is limited, because a key that is enqueued all the time can be merged again and
-- again.
create or replace function newest_ids(ids bigint[]) returns bigint[]
language sql immutable
return ids[greatest(1, cardinality(ids) - 999):]
