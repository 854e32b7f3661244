-- Counts one call of a kind in the UTC hour of an instant, and returns the number of calls in this hour. The counter is
-- a sequence, so a rolled back transaction also counts, calls never wait for each other, and no row is written. The
-- upper bits of the sequence contain the hour, and the lower 32 bits contain the number. If the counter belongs neither
-- to this hour nor to the next hour, the counter restarts. The next hour is accepted, because a clock may be set back.
-- Concurrent first calls of an hour may overwrite each other's numbers.
create or replace function count_in_hour(of_what regclass, at timestamptz) returns bigint
language plpgsql as $$
declare
  hour constant bigint := floor(extract(epoch from at) / 3600);
  number bigint := nextval(of_what);
begin
  if number >> 32 not between hour and hour + 1 then
    perform setval(of_what, hour << 32);
    number := nextval(of_what);
  end if;
  return number & 4294967295;
end $$
