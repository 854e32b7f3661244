-- Makes a member an admin. All existing admins stay admins. For the lock order, see docs/gymrats/groups.md.
create or replace function promote(actor text, group_id text, user_id text)
returns void language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(user_id)]);
  it groups;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  perform require_admin(actor, it.id);
  update member m set role = 'admin'
  where m.group_id = it.id and m.user_id = promote.user_id and m.left_at is null;
  if not found then
    perform refuse_stranger(user_id, it.id);
  end if;
end $$;

comment on function promote is
  'An admin makes another member an admin too. Safe to repeat.'
