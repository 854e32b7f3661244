-- Enables or disables a group's rank notifications for the actor.
create or replace function mute_group(actor text, group_id text, is_muted boolean) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
begin
  perform require_claim(actor);
  if mute_group.is_muted is null then
    perform refuse('invalidInput', 'a group is muted or it is not', 'Nothing was changed. Send true or false.');
  end if;
  perform require_member(actor, group_id);
  update member m set is_muted = mute_group.is_muted
  where m.group_id = mute_group.group_id and m.user_id = actor
    and m.is_muted <> mute_group.is_muted;
end $$;

comment on function mute_group is 'Whether the actor is told of changed ranks in a group. Safe to repeat.'
