-- Counts the members of a batch that have ended, among the next `piece` open members after the id `after`. Members that
-- are done or cancelled are deleted, and dead members are marked. A member has ended if its call has been dispatched
-- and no run contains the call. `place` is the batch's ctid: the old ctid as the argument, and the ctid after the
-- update as the result. The function returns the number of members that it has read, and how many of them have ended.
-- Locks: the deleted and marked members, and the dead runs (SHARE, SKIP LOCKED). The caller must have locked the batch.
-- Indexes: batch_member_pkey, run_pkey, dead_run_key.
create or replace function count_batch_members(inout place tid, batch_id bigint, after bigint, piece integer,
  out members bigint, out ended bigint)
language plpgsql as $$
declare
  last_id bigint;
  gone bigint[];
  gone_dead bigint[];
  was_cancelled bigint;
begin
  -- All tables are read with one snapshot. A dispatched call that is in neither a run nor a dead run has ended.
  with member as materialized (
    select m.id, m.job, m.key, m.xact, m.recorded_at, m.is_cancelled
    from batch_member m
    where m.batch = batch_id and not m.is_dead and m.id > after
    order by m.id
    limit piece
  ),
  at as materialized (
    select * from event_position order by id desc limit 1
  ),
  missing as materialized (
    select m.id, m.is_cancelled, (
        select d.id from dead_run d
        where d.job = m.job and d.key = m.key and (d.id = m.id or m.id = any (d.earlier_ids)
          or cardinality(d.earlier_ids) >= 1000 and m.recorded_at <= d.died_at
            and (d.replaced_by is not null or (d.first_event_at <= m.recorded_at) is not false))
        limit 1) as dead_id
    from member m, at
    where pg_visible_in_snapshot(m.xact, coalesce(at.base, at.snapshot))
      and not exists (select from unnest(at.partial) p where p.xact = m.xact)
      -- The event of a call without a key is never deferred.
      and (at.deferred is null or m.key = '#' || m.id)
      and (
        select true from run r
        where r.job = m.job and r.key = m.key and
          -- include: holds_member
        limit 1) is null
  ),
  -- If another session is retrying a dead run, its members stay open.
  locked as materialized (
    select d.id from dead_run d where d.id = any (array(select dead_id from missing)) for share skip locked
  )
  select (select max(id) from member), (select count(*) from member),
    array_agg(m.id) filter (where m.dead_id is null),
    count(*) filter (where m.dead_id is null and m.is_cancelled),
    array_agg(m.id) filter (where m.dead_id in (select id from locked))
  into last_id, members, gone, was_cancelled, gone_dead
  from missing m;
  ended := coalesce(cardinality(gone), 0) + coalesce(cardinality(gone_dead), 0);
  delete from batch_member m where m.batch = batch_id and not m.is_dead and m.id = any (gone);
  update batch_member m set is_dead = true where m.batch = batch_id and not m.is_dead and m.id = any (gone_dead);
  update batch b
  set done = b.done + coalesce(cardinality(gone), 0) - was_cancelled, cancelled = b.cancelled + was_cancelled,
    dead = b.dead + coalesce(cardinality(gone_dead), 0),
    position = case when members = piece then last_id else 0 end,
    changed_at = case when ended > 0 then pg_catalog.now() else b.changed_at end,
    -- If all `piece` members were read and some have ended, the next pass starts immediately. Otherwise, the delay is
    -- one twentieth of the time since the most recent end of a member (at least 400 ms, at most 5 s).
    due = pg_catalog.now() + case when members = piece and ended > 0 then interval '0'
      else least(interval '5 s', greatest(interval '400 ms',
        (pg_catalog.now() - case when ended > 0 then pg_catalog.now() else b.changed_at end) / 20)) end
  where b.ctid = place
  returning b.ctid into place;
end $$
