-- Returns the name of a run's group: a field of the payload, a part of the key, or an empty string. If the name is too
-- long for an index, the function returns a hash of the name. An over-long name would make the dispatch of all events
-- fail.
create or replace function group_of(field text, separator text, part integer, key text, payload jsonb)
returns text
language sql immutable
return (
  select case when octet_length(name) > 256 then md5(name) else name end
  from (
    select coalesce(case when field is not null then payload ->> field
      when separator is not null then split_part(key, separator, part) end, '') as name) g)
