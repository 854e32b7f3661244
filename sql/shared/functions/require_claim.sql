-- Rejects a call if the transaction may not act for the actor. Also rejects a call in an isolation level above READ
-- COMMITTED, because the transaction's snapshot may be older than the call. Each call with an actor begins with this
-- function, directly or through require_actor or require_member.
create or replace function require_claim(actor text) returns void
language plpgsql stable as $$
begin
  perform require_read_committed();
  if not speaks_for(actor) then
    perform refuse('notAuthenticated', format('this transaction does not speak for user %s',
      quote_nullable(left(actor, 64))),
      'Nothing was changed. Set the role and a claim of this user in the same transaction: docs/concepts/security.md.');
  end if;
end $$
