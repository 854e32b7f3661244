-- Counts one call in the counter `of_what` in the UTC hour of `at`, and returns the number of calls in this hour. The
-- counter is a sequence, so calls in rolled-back transactions also count, and no call waits. The upper bits of the
-- sequence's value contain the hour, and the lower 32 bits contain the number of calls. If the stored hour is neither
-- the hour of `at` nor the hour after `at`, the counter restarts. After the server's clock has been set back, the
-- stored hour can be the hour after `at`. If two sessions count the first call of an hour at the same time, one count
-- may be lost.
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
