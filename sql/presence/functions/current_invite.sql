-- Returns a group's current invite code to a member. If no code is valid, a new code is created. Locks: the group.
create or replace function current_invite(actor text, group_id text) returns invite_answer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
  it groups;
  there invite;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  perform require_member(actor, group_id);
  select * into there from invite i where i.group_id = it.id and i.replaced_at is null;
  if there.code is null or there.expires_at <= domain_now() then
    return make_invite(it.id, actor, (select in_seconds(s.invite_age) from setting s));
  end if;
  return row(there.code, it.id, there.expires_at)::invite_answer;
end $$;

comment on function current_invite is 'The code of a group that counts, made where there is none.'
