-- Raises the error for an admin's call about a user who is not a member of the group.
create or replace function refuse_stranger(of_user text, of_group text) returns void
language plpgsql as $$
begin
  perform refuse('notAMember', format('user %s is not a member of group %s',
    quote_nullable(left(of_user, 64)), quote_literal(of_group)),
    'Nothing was changed. Read the members of the group again.');
end $$
