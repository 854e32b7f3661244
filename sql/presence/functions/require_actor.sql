-- Rejects a call without a known actor. The function does not authenticate the caller, because the API has already done
-- so. Only users in the `users` table may call the API. If a user was merged into an account, the merged user cannot
-- act.
create or replace function require_actor(actor text) returns void
language plpgsql as $$
begin
  perform require_claim(actor);
  if not exists (select from users u where u.id = actor and u.merged_into is null) then
    perform refuse('notAuthenticated', format('there is no user %s', quote_nullable(left(actor, 64))),
      'Nothing was changed. Sign in again: the API makes the user then, or finds the account.');
  end if;
end $$
