-- Advances open batches: counts members that have ended, and ends batches without open members. `piece` is the maximum
-- number of members per batch in one pass. A call ends after it has read about four times `piece` members. If
-- `takes_all` is true, the call also advances batches whose next pass is not due yet. If `reaches_back` is false, the
-- call ignores batches that became due more than a minute ago. Returns the number of ended members and batches, whether
-- another call would count more members now, and the ids of batches to cancel or retry. Locks: the rows of at most 200
-- batches (NO KEY UPDATE, SKIP LOCKED), and dead runs of members. Index: batch_due.
-- docs/internals/decisions/0030-batches-are-counted-by-the-dispatcher.md has the details.
-- needs: count_batch_members, end_batch, own_position
create or replace function advance_batches(piece integer, takes_all boolean, reaches_back boolean default false)
returns table (progress bigint, has_more boolean, cancelling bigint[], retrying bigint[])
language plpgsql as $$
declare
  since timestamptz := case when takes_all or reaches_back then '-infinity' else pg_catalog.now() - interval '1 minute' end;
  until timestamptz := case when takes_all then 'infinity' else pg_catalog.now() end;
  b record;
  place tid;
  batches integer := 0;
  total bigint := 0;
  found_members bigint;
  found_ended bigint;
  is_cancelling boolean;
begin
  -- COMMIT does not wait for the disk. If a server crash undoes a pass, the next pass repeats the work.
  perform set_config('synchronous_commit', 'off', true);
  progress := 0;
  has_more := false;
  -- A due time more than 10 s in the future means that the server's clock was set back.
  if reaches_back then
    update batch set due = pg_catalog.now()
    where id = any (array(
      select o.id from batch o
      where o.ended_at is null and o.due > pg_catalog.now() + interval '10 s'
      for no key update skip locked));
  end if;
  -- While the event log belongs to another cluster, the members' transaction ids have no meaning.
  if exists (select from batch o where o.ended_at is null and o.due > since and o.due <= until)
    and exists (select from own_position) then
    for b in
      select o.ctid as place, o.* from batch o
      where o.ended_at is null and o.due > since and o.due <= until
      order by o.due
      limit 200
      for no key update skip locked
    loop
      batches := batches + 1;
      -- A search by id would also read old versions of the row.
      select c.members, c.ended, c.place into found_members, found_ended, place
      from count_batch_members(b.place, b.id, b.position, piece) c;
      progress := progress + found_ended;
      total := total + found_members;
      has_more := has_more or found_members = piece and found_ended > 0;
      is_cancelling := b.cancel_position is not null;
      -- A nested batch is cancelled together with its parent.
      if not is_cancelling
        and exists (select from batch p where p.id = b.parent and p.cancel_position is not null and p.ended_at is null)
      then
        update batch o
        set cancel_position = 0, retry_position = null, sealed_at = coalesce(o.sealed_at, pg_catalog.now())
        where o.ctid = place
        returning o.ctid into place;
        is_cancelling := true;
      end if;
      if end_batch(place, b.id) then
        progress := progress + 1;
        has_more := true;
      elsif is_cancelling then
        cancelling := cancelling || b.id;
      elsif b.retry_position is not null then
        retrying := retrying || b.id;
      end if;
      if total >= 4 * piece or batches = 200 then
        has_more := true;
        exit;
      end if;
    end loop;
  end if;
  return next;
end $$
