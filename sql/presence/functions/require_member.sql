-- Returns the actor's role in a group, and rejects the call if the actor is not a current member of the group. If the
-- group is not public, the error for users who are not members is the same as for a missing group.
create or replace function require_member(actor text, of_group text) returns text
language plpgsql as $$
declare
  role_there text;
begin
  perform require_actor(actor);
  select m.role into role_there from member m
  where m.group_id = of_group and m.user_id = actor and m.left_at is null;
  if found then
    return role_there;
  elsif not exists (select from groups g where g.id = of_group and g.is_active and g.is_public) then
    perform refuse_group(of_group);
  end if;
  perform refuse('notAMember', format('user %s is not a member of group %s', quote_literal(actor),
    quote_literal(of_group)), 'Nothing was changed. Join the group first.');
  return null;
end $$
