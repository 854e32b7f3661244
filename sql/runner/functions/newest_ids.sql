-- Returns the thousand newest ids of an array. Without a limit, the array of a key that is enqueued continuously would
-- grow without bound. A dispatch does not sort the ids of its calls, so the function sorts an array that is too long.
create or replace function newest_ids(ids bigint[]) returns bigint[]
language sql immutable
return case
  when cardinality(ids) > 1000 then array(
    select id from unnest(ids) id order by id desc limit 1000)
  else ids end;
