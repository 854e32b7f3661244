-- Returns 80 random bits as sixteen characters in Crockford's base 32. The bits come from two UUIDs. The function omits
-- the bytes of a UUID that contain fixed bits.
create or replace function new_code() returns text
language sql volatile as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (get_byte(r.bytes, p.place) & 31), 1), '')
  from (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as bytes offset 0) r
  cross join unnest('{0,1,2,3,4,5,9,10,16,17,18,19,20,21,25,26}'::integer[]) p (place)
$$
