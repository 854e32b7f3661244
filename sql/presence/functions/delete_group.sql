-- Deletes a group for all members. The memberships end, and the invite code becomes invalid. Locks: the group.
create or replace function delete_group(actor text, group_id text)
returns void language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
  it groups;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  if not it.is_active and it.deleted_by = actor then
    return;
  end if;
  perform require_admin(actor, group_id);
  update member m set role = 'member', left_at = greatest(domain_now(), m.joined_at)
  where m.group_id = it.id and m.left_at is null;
  perform end_group(it.id, actor);
end $$;

comment on function delete_group is 'An admin ends the group for all of its members. Safe to repeat.'
