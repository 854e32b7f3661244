-- Rejects a command that differs from an earlier command with the same id. Only the device and the position may differ,
-- because a phone and a watch may send the same command.
create or replace function check_repeat(earlier presence_command, command presence_call) returns void
language plpgsql as $$
begin
  if (earlier.group_id, earlier.action, earlier.source::text, earlier.asked_at, earlier.stay)
    is distinct from
    (command.group_id, command.action, command.source, command.asked_at, command.stay) then
    perform refuse_repeat(command.id);
  end if;
end $$
