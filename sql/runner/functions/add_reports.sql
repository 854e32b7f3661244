-- Adds up the counts of two reports, name by name. If a sum exceeds the range of bigint, the result is the largest
-- bigint. Locks: none.
create or replace function add_reports(a jsonb, b jsonb) returns jsonb
language sql immutable parallel safe as $$
  select coalesce(jsonb_object_agg(name, total), '{}')
  from (
    select key as name, least(sum(value::numeric), 9223372036854775807) as total
    from (select * from jsonb_each_text(a) union all select * from jsonb_each_text(b)) counts
    group by key
  ) sums
$$
