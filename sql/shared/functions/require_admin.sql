-- Rejects the call if the actor is not an admin of the group.
create or replace function require_admin(actor text, of_group text) returns void
language plpgsql as $$
begin
  if require_member(actor, of_group) <> 'admin' then
    perform refuse('notGroupAdmin', format('user %s is not an admin of group %s', quote_literal(actor),
      quote_literal(of_group)), 'Nothing was changed. Ask an admin of the group.');
  end if;
end $$
