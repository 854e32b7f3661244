-- Rejects a time zone that the server does not recognize, because each later call that uses the group's dates would
-- fail.
create or replace function check_zone(time_zone text) returns void
language plpgsql as $$
begin
  if is_time_zone(time_zone) is not true then
    perform refuse('invalidInput', format('there is no time zone %s', quote_nullable(left(time_zone, 64))),
      'Nothing was changed. Send an IANA name, for example Europe/Athens.');
  end if;
end $$
