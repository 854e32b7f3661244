-- Rejects a call without a known actor. The function does not authenticate the caller, because the API has already done
-- so. Only users in the `users` table may call the API.
create or replace function require_actor(actor text) returns void
language plpgsql as $$
begin
  perform require_claim(actor);
  if not exists (select from users u where u.id = actor) then
    perform refuse('notAuthenticated', format('there is no user %s', quote_nullable(left(actor, 64))),
      'Nothing was changed. Sign in first: the API makes the user then.');
  end if;
end $$
