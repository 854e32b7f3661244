-- Returns eight characters of Crockford's base 32, from 40 random bits of a UUID.
create or replace function new_code() returns text
language sql volatile as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (get_byte(r.bytes, p.place) & 31), 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes offset 0) r
  cross join unnest('{0,1,2,3,4,5,9,10}'::integer[]) p (place)
$$
