-- The group of a run: a field of its payload, a part of its key, or '' if it has none. A group name that is too long
-- for an index is replaced with its hash, because it would make every fold fail.
create or replace function group_of(field text, separator text, part integer, key text, payload jsonb)
returns text
language sql immutable
return (
  select case when octet_length(name) > 256 then md5(name) else name end
  from (
    select coalesce(case when field is not null then payload ->> field
      when separator is not null then split_part(key, separator, part) end, '') as name) g)
