-- Locks the rows of the actor and of another user in order of id, for a call by the actor about the other user. The
-- order prevents a deadlock between two users who block each other at the same time. If both users are the same, the
-- call is rejected.
create or replace function hold_users(actor text, other text) returns void
language plpgsql as $$
begin
  if other is null or other = actor then
    perform refuse('invalidInput', format('user %s needs the id of another user', quote_literal(actor)),
      'Nothing was changed. Send the id of another user.');
  end if;
  perform from users u where u.id in (actor, other) order by u.id for no key update;
end $$
