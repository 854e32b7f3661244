-- Ends a group without members, and invalidates the group's invite code. The caller must have locked the group.
create or replace function end_group(of_group text, by_admin text) returns void
language plpgsql as $$
begin
  update invite i set replaced_at = greatest(domain_now(), i.created_at)
  where i.group_id = of_group and i.replaced_at is null;
  update groups g
  set is_active = false, ended_at = domain_now(), deleted_by = by_admin, version = g.version + 1
  where g.id = of_group;
end $$
