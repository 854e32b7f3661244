-- Locks the actor's row until the transaction ends, for a call that writes the actor's rows. The lock prevents the
-- account from being merged or deleted concurrently. A call must lock the group before the actor's row, as described in
-- the "Locks" section of docs/whosthere/rules.md.
create or replace function hold_actor(actor text) returns void
language plpgsql as $$
begin
  perform from users u where u.id = actor and u.merged_into is null for share;
  if not found then
    raise serialization_failure using
      message = format('user %s was merged or deleted at this moment', quote_literal(actor)),
      hint = 'Nothing was changed. Try again.';
  end if;
end $$
