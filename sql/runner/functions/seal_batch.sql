-- Seals a batch: no later call can add members, and the batch ends after its last member has ended. The batch also
-- waits for members that are added in transactions that are still open. If the batch is already sealed, the call has no
-- effect. The function runs with the definer's privileges. Errors: ZB019 (unknown batch). Locks: the batch's row (NO
-- KEY UPDATE, which does not wait for the callers that add members).
create or replace function seal_batch(name text) returns void
language plpgsql security definer set search_path from current as $$
begin
  update batch b
  set sealed_at = coalesce(b.sealed_at, pg_catalog.now()), due = least(b.due, pg_catalog.now())
  where b.name = seal_batch.name;
  if not found then
    raise exception 'there is no batch %', quote_nullable(left(name, 64))
      using errcode = 'ZB019', hint = 'Nothing was changed. The command `batches` lists the batches.';
  end if;
end $$
