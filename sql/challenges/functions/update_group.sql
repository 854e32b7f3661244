-- Changes a group's name. A repeated call with the same name writes nothing. For the lock order, see
-- docs/gymrats/groups.md.
create or replace function update_group(actor text, group_id text, name text)
returns group_answer language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(name)]);
  it groups;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  perform require_admin(actor, it.id);
  perform check_name(it.id, update_group.name);
  update groups g set name = update_group.name
  where g.id = it.id and g.name <> update_group.name;
  return group_row(it.id, actor);
end $$;

comment on function update_group is 'An admin changes the name of a group. Safe to repeat.'
