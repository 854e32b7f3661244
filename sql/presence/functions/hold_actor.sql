-- Locks the actor's row until the transaction ends, for a call that writes rows of the actor. The lock excludes a
-- concurrent merge or deletion of the account. A call must lock the group before the actor's row, as the section
-- "Locks" in docs/whosthere/rules.md describes.
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
