-- Revokes an invite. If the invite was already revoked, the call has no effect.
create or replace function revoke_invite(actor text, invite_id uuid)
returns void language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
  it invite;
begin
  perform require_actor(actor);
  select * into it from invite i where i.id = invite_id;
  if it.id is null then
    perform refuse('inviteInvalid', format('there is no invite %s', coalesce(invite_id::text, 'null')),
      'Nothing was changed. list_invites has the ids.');
  end if;
  perform lock_group(it.group_id);
  if require_member(actor, it.group_id) <> 'admin' and it.created_by <> actor then
    perform refuse('notGroupAdmin', format('user %s did not make invite %s', quote_literal(actor),
      invite_id), 'Nothing was changed. Ask an admin of the group.');
  end if;
  update invite i set revoked_at = domain_now() where i.id = it.id and i.revoked_at is null;
end $$;

comment on function revoke_invite is
  'Whoever made an invite, or an admin, revokes it. Safe to repeat.'
