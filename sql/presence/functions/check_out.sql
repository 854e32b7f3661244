-- Checks the actor out of a group's place. Locks: the actor's rows in member and presence, and the visit.
create or replace function check_out(
  actor text, command_id uuid, group_id text, source text, device text, at timestamptz
) returns presence_answer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(source),
    octet_length(device)]);
begin
  return obey(actor, row(command_id, group_id, 'checkOut', source, device, at, null, null, null, null,
    null)::presence_call);
end $$;

comment on function check_out is 'Checks the actor out of a group''s place. Safe to repeat with the same id.'
