-- Locks batches and their ancestors. If `opens` is true, each ended batch begins its next generation. `ids` are the ids
-- of the batches to lock. Locks: the rows of the batches, ordered by id. Index: batch_pkey.
create or replace function reopen_batches(ids bigint[], opens boolean) returns void
language plpgsql as $$
begin
  -- A parent always has a smaller id than its nested batches.
  ids := array(
    with recursive outer_batch (id) as (
      select unnest(reopen_batches.ids)
      union
      select b.parent from batch b join outer_batch o on o.id = b.id where b.parent is not null
    )
    select id from outer_batch);
  perform from batch b where b.id = any (ids) order by b.id for no key update;
  if opens then
    update batch b
    set generation = b.generation + 1, ended_at = null, due = pg_catalog.now(), changed_at = pg_catalog.now()
    where b.id = any (ids) and b.ended_at is not null;
  end if;
end $$
