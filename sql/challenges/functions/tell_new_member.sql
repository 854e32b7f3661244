-- Notifies a group's existing members of a new member.
create or replace function tell_new_member(of_group text, of_user text) returns void
language plpgsql as $$
begin
  insert into notification (partition, created_at, user_id, group_id, type, content, changed_at)
  select day_partition(n.at), n.at, m.user_id, m.group_id, 'new_member',
    jsonb_build_object('user', u.id, 'name', u.display_name,
      'message', u.display_name || ' joined ' || g.name || '.'), n.at
  from (select domain_now() as at) n, users u, groups g, member m
  where u.id = of_user and g.id = of_group and m.group_id = g.id and m.left_at is null
    and m.user_id <> u.id
    and not exists (select from user_block b where b.user_id = m.user_id and b.blocked_user = u.id);
end $$
