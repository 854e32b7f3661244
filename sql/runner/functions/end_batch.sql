-- Ends a sealed batch without open members and without open nested batches, and enqueues a run of the batch's job. The
-- run gets the batch's name as its key, and the counts of the batch's members as its payload. If the batch is nested,
-- the run becomes a member of the parent. `place` is the ctid of the batch, and `target` is its id. The function
-- returns false if the batch does not end now. If the job is missing or retired, the batch waits for it, but a batch
-- that was cancelled ends without a run. Locks: the batch's row, SKIP LOCKED. While a transaction that adds members is
-- open, the batch does not end. The caller must have locked the batch's row. Indexes: batch_member_pkey, batch_parent.
-- needs: enqueue
create or replace function end_batch(place tid, target bigint) returns boolean
language plpgsql as $$
declare
  b batch;
  run_id bigint;
  has_job boolean;
begin
  if exists (select from batch_member m where m.batch = target and not m.is_dead) then return false; end if;
  select * into b from batch o where o.ctid = place and o.sealed_at is not null and o.retry_position is null
    for update skip locked;
  -- Members may have been added before the row of the batch was locked.
  if not found or exists (select from batch_member m where m.batch = target and not m.is_dead)
    or exists (select from batch c where c.parent = target and c.ended_at is null)
  then
    return false;
  end if;
  has_job := exists (select from job j where j.name = b.batch_job and j.retired_at is null);
  if b.batch_job is not null and b.cancel_position is null and not has_job then
    return false;
  end if;
  if has_job then
    run_id := enqueue(b.batch_job, b.name, jsonb_build_object('batch', b.name, 'generation', b.generation,
      'done', b.done, 'dead', b.dead, 'cancelled', b.cancelled));
    insert into batch_member (batch, id, job, key)
    select p.id, run_id, b.batch_job, b.name from batch p where p.id = b.parent and p.ended_at is null;
  end if;
  update batch o set ended_at = pg_catalog.now(), cancel_position = null where o.ctid = place;
  return true;
end $$
