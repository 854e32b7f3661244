-- Returns the number of calls that count_in_hour has counted in the counter `of_what` in the UTC hour of `at`.
create or replace function counted_in_hour(of_what regclass, at timestamptz) returns bigint
language sql volatile as $$
  select case when c.number >> 32 between h.hour and h.hour + 1 then c.number & 4294967295 else 0 end
  from (select coalesce(pg_sequence_last_value(of_what), 0) as number) c,
    (select floor(extract(epoch from at) / 3600)::bigint as hour) h
$$
