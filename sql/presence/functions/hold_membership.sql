-- Locks the actor's membership in a group until the transaction ends, for a call that writes as a member. While the row
-- is locked, the membership cannot end and the actor cannot be merged. Returns the actor's role. Locks: the actor's row
-- in member, FOR SHARE.
create or replace function hold_membership(actor text, of_group text) returns text
language plpgsql as $$
declare
  role_there text;
begin
  perform require_actor(actor);
  select m.role into role_there from member m
  where m.group_id = of_group and m.user_id = actor and m.left_at is null
  for share;
  if not found then
    perform require_member(actor, of_group);
    raise serialization_failure using
      message = format('user %s became a member of group %s at this moment', quote_literal(actor),
        quote_literal(of_group)),
      hint = 'Nothing was changed. Try again.';
  end if;
  return role_there;
end $$
