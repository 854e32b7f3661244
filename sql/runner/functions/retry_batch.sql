-- Requests a retry of all dead members of a sealed batch. Workers retry the members after COMMIT. If the batch has
-- ended, its next generation begins, and the batch later ends again. Retrying a nested batch requires a separate call.
-- The function returns the number of dead members, and changes nothing if no member is dead. The function runs with the
-- definer's privileges. Errors: ZB019 (unknown batch, or the batch is open or being cancelled). Locks: the rows of the
-- batch and its ancestors, ordered by id (NO KEY UPDATE).
-- needs: reopen_batches
create or replace function retry_batch(name text) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  target batch;
begin
  perform reopen_batches(array(select b.id from batch b where b.name = retry_batch.name), false);
  select * into target from batch b where b.name = retry_batch.name;
  if target.id is null then
    raise exception 'there is no batch %', quote_nullable(left(name, 64))
      using errcode = 'ZB019', hint = 'Nothing was changed. The command `batches` lists the batches.';
  end if;
  if target.sealed_at is null or target.cancel_position is not null then
    raise exception 'the batch % is %', quote_literal(left(name, 64)),
        case when target.sealed_at is null then 'not sealed yet' else 'being cancelled' end
      using errcode = 'ZB019', hint = 'Nothing was changed. Repeat the call when the batch is sealed, or has ended.';
  end if;
  if target.dead > 0 then
    perform reopen_batches(array[target.id], true);
    update batch b set retry_position = 0, due = pg_catalog.now() where b.id = target.id;
  end if;
  return target.dead;
end $$
