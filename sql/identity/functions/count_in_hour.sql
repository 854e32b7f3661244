-- Counts one call of a kind in the UTC hour of an instant, and returns how many have been counted in this hour. The
-- counter is a sequence, so a rolled back transaction also counts, no call waits for another, and no row is written.
-- The upper bits contain the hour, the lower 32 bits the number. If the counter is not of this hour or the next one,
-- the counter begins again. The next hour is accepted, because a clock may be set back. Concurrent first calls of an
-- hour may lose each other's numbers.
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
