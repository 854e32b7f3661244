-- Raises the error for a call that would make a user a member of a second group.
create or replace function refuse_second_group(of_user text, of_group text) returns void
language plpgsql as $$
begin
  perform refuse('alreadyInGroup', format('user %s is a member of group %s', quote_literal(of_user),
    quote_literal(of_group)), 'Nothing was changed. Leave that group first.', of_group);
end $$
