-- Rejects invalid arguments of a check-in or check-out command.
create or replace function check_command(command presence_call) returns void
language plpgsql as $$
begin
  if (command.id is not null and command.source in ('manual', 'automatic') and command.device in ('phone', 'watch')
    and isfinite(command.asked_at)) is not true then
    perform refuse('invalidInput', 'a command has an id, a source, a device and a time',
      'Nothing was changed. Send manual or automatic, phone or watch.');
  elsif (command.stay between 1 and 604800) is false then
    perform refuse('invalidInput', format('a stay is 1 second to 7 days, not %s s', command.stay),
      'Nothing was changed. Send no stay for one that lasts until the check-out.');
  elsif num_nulls(command.latitude, command.longitude, command.accuracy, command.located_at) not in (0, 4)
    or (command.latitude between -90 and 90 and command.longitude between -180 and 180 and command.accuracy >= 0
      and command.accuracy < 'infinity' and isfinite(command.located_at)) is false then
    perform refuse('invalidInput', 'a position is a latitude, a longitude, metres and a time',
      'Nothing was changed. Send all four of them, or none.');
  end if;
end $$
