-- Checks the actor in at a group's place. Locks: the actor's rows in member and presence, the first arrival, and the
-- visit.
create or replace function check_in(
  actor text, command_id uuid, group_id text, source text, device text, at timestamptz, stay integer default null,
  latitude double precision default null, longitude double precision default null,
  accuracy double precision default null, located_at timestamptz default null
) returns presence_answer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(source),
    octet_length(device)]);
begin
  return obey(actor, row(command_id, group_id, 'checkIn', source, device, at, stay,
    -- Extremely small values are read as 0, because their square would underflow.
    case when abs(latitude) < 1e-15 then 0 else latitude end,
    case when abs(longitude) < 1e-15 then 0 else longitude end, accuracy, located_at)::presence_call);
end $$;

comment on function check_in is 'Checks the actor in at a group''s place. Safe to repeat with the same id.'
