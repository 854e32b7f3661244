-- Seals a batch, and requests the cancellation of its open members and its nested batches. Workers cancel the members
-- after COMMIT, and the batch ends after its last member has ended. A run that also serves other callers or batches is
-- cancelled for those callers and batches too. Dead members of the batch stay dead. The function returns false if the
-- batch has already ended. The function runs with the definer's privileges. Errors: ZB019 (unknown batch). Locks: the
-- batch's row (NO KEY UPDATE).
create or replace function cancel_batch(name text) returns boolean
language plpgsql security definer set search_path from current as $$
declare
  has_ended boolean;
begin
  select b.ended_at is not null into has_ended from batch b where b.name = cancel_batch.name for no key update;
  if not found then
    raise exception 'there is no batch %', quote_nullable(left(name, 64))
      using errcode = 'ZB019', hint = 'Nothing was changed. The command `batches` lists the batches.';
  end if;
  update batch b
  set sealed_at = coalesce(b.sealed_at, pg_catalog.now()), cancel_position = coalesce(b.cancel_position, 0),
    retry_position = null, due = pg_catalog.now()
  where b.name = cancel_batch.name and not has_ended;
  return not has_ended;
end $$
