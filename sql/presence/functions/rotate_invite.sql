-- Replaces a group's invite code. Only admins may call the function. The old code becomes invalid immediately. If
-- `replaces` is not the current code, the code was already replaced, and the function returns the current code. Locks:
-- the group.
create or replace function rotate_invite(
  actor text, group_id text, replaces text, lifetime interval default null
) returns invite_answer language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(replaces)]);
  it groups;
  there invite;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  perform require_admin(actor, group_id);
  if lifetime is not null and in_seconds(lifetime) not between '1 minute' and '366 days' then
    perform refuse('invalidInput', 'an invite lives for a minute to 366 days',
      'Nothing was changed. Send another time, or none.');
  end if;
  select * into there from invite i where i.group_id = it.id and i.replaced_at is null;
  if there.code is not null and there.code is distinct from read_code(replaces) then
    return row(there.code, it.id, there.expires_at)::invite_answer;
  end if;
  return make_invite(it.id, actor,
    in_seconds(coalesce(lifetime, (select s.invite_age from setting s))));
end $$;

comment on function rotate_invite is 'An admin replaces the code of a group. Safe to repeat with the code that it replaces.'
