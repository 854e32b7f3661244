-- Chooses the events of the next dispatch if the log has a backlog or large transactions, and appends the position
-- after these events. fold_backlog reads the events between the last two positions. $1: the approximate number of
-- events. $2: true to store the time even if there are no new events. Rows: true if events may remain. Locks: the new
-- row. If the caller has not called lock_cursor, nothing changes. Index: event_N_xact, event_N_pkey. For each piece, the
-- statement reads at most 46 * $1 rows, and, in each large transaction, 50 rows for each key of a later event.
with
-- include: log_position
-- If there are more than $1 new events, a backlog begins, which is dispatched in pieces. If one transaction wrote more
-- than $1 / 2 events of a piece, the transaction is large and is dispatched separately. The same applies if several bulk
-- loads write at the same time, and each has more than $1 / 8 events of the piece and more than $1 * 2 in all. A later
-- event with a key of a large transaction is deferred until that transaction is dispatched. If more than 5,000 events
-- are deferred, only large transactions are dispatched.
rest as materialized (
  select p.xact, p.last_id, p.end_id from old, unnest(partial) p
),
-- The events of a large transaction are dispatched only up to the backlog's position. If later events were dispatched
-- now, the backlog would read them again. These events would also overtake earlier events with the same keys.
rest_end as materialized (
  select case when old.base is null then max(r.end_id) else least(max(r.end_id), old.last_id) end as id
  from old, rest r
  group by old.base is null, old.last_id
),
-- For a piece of large transactions, the statement reads at most $1 * 10 rows, even if these rows contain no
-- undispatched events. Many rows can belong to other transactions, or can contain events that were already dispatched.
rest_row as not materialized (
  select id, xact from event
  where id > (select min(last_id) from rest) and id <= (select id from rest_end)
  order by id
  limit $1 * 10
),
rest_event as materialized (
  select e.id from rest_row e
  where exists (select from rest r where r.xact = e.xact and e.id > r.last_id)
  order by e.id limit $1
),
-- `last_id` is null if no transaction is large.
piece as materialized (
  select case when (select count(*) from rest_event) = $1 then (select max(id) from rest_event)
    when (select count(*) from rest_row) = $1 * 10 then (select max(id) from rest_row)
    else (select id from rest_end) end as last_id
),
-- The `ended` CTE contains the transactions that ended after the last position. A search for an open transaction would
-- read all its events, but would return none of them.
ended as materialized (
  select array(
    select xact from (select pg_snapshot_xip(snapshot) as xact from old) o
    where pg_visible_in_snapshot(xact, (select snapshot from moment))) as ids
),
-- While the position has a backlog, no new events are dispatched.
fresh as materialized (
  select count(*) as events
  from (
    (select from event
    where (select base is null from old) and xact >= (select pg_snapshot_xmax(snapshot) from old)
    limit $1 + 1)
    union all
    (select from event
    where (select base is null from old) and xact = any ((select ids from ended)::xid8[])
    limit $1 + 1)) f
),
-- The `backlog_start` CTE skips the rows before the next event of the backlog. The CTE reads at most $1 * 25 rows. If
-- fewer rows remain, and none of them belong to the backlog, the `id` column is null.
backlog_start as materialized (
  select coalesce(
    (select id - 1
    from (
      select id, xact from event
      where id > (select last_id from old) and id <= (select end_id from old)
      order by id
      limit $1 * 25) e
    where pg_visible_in_snapshot(xact, (select snapshot from old))
      and not pg_visible_in_snapshot(xact, (select base from old))
      and not exists (select from rest r where r.xact = e.xact)
    order by id
    limit 1),
    (select id from event
    where id > (select last_id from old) and id <= (select end_id from old)
    order by id
    limit 1 offset $1 * 25 - 1)) as id
),
backlog_row as not materialized (
  select id, xact, key from event
  where id > (select id from backlog_start) and id <= (select end_id from old)
  order by id
  limit $1 * 10
),
backlog as materialized (
  select id, xact, key from backlog_row e
  where pg_visible_in_snapshot(xact, (select snapshot from old))
    and not pg_visible_in_snapshot(xact, (select base from old))
    and not exists (select from rest r where r.xact = e.xact)
  order by id
  limit $1
),
backlog_piece as materialized (
  select case when (select count(*) from backlog) = $1 then (select max(id) from backlog)
    else (select case when count(*) = $1 * 10 then max(id) end from backlog_row) end as last_id
),
-- If the transaction has fewer than $1 * 10 events, `end_id` is its last event. Otherwise, `end_id` is the end of the
-- backlog, because a search for the last event could read the whole backlog. Without ORDER BY, the plan could read all
-- index entries of the transaction first.
large as materialized (
  select b.xact, old.last_id, coalesce(l.end_id, old.end_id) as end_id
  from old, (select xact, count(*) as events from backlog group by xact having count(*) > $1 / 8) b, lateral (
    select count(*) as events, case when count(*) < $1 * 10 then max(id) end as end_id
    from (select id from event where xact = b.xact order by hashtext(key) limit $1 * 10) e) l
  where b.events > $1 / 2 or l.events > $1 * 2
),
partial as materialized (
  select r.xact, greatest(r.last_id, p.last_id) as last_id, r.end_id
  from rest r, piece p
  where r.end_id > p.last_id
  union all
  select xact, last_id, end_id from large
),
-- The following CTEs find events outside of large transactions by transaction id. A search by event number would read
-- all rows of the large transactions.
cut as materialized (
  select exists (select from partial) and (select base is not null and end_id > last_id from old) as is_wanted
),
passed as materialized (
  select xact from rest
  union
  select xact from partial
  union
  select pg_snapshot_xip(snapshot) from old
),
gap as (
  select null::xid8 as after, min(xact) as before from passed where xact >= (select pg_snapshot_xmax(base) from old)
  union all
  select xact, lead(xact) over (order by xact) from passed where xact >= (select pg_snapshot_xmax(base) from old)
),
other_row as materialized (
  select e.id, e.xact
  from gap g, lateral (
    select id, xact from event
    where xact >= (select pg_snapshot_xmax(base) from old) and xact > coalesce(g.after, '0')
      and xact < coalesce(g.before, (select pg_snapshot_xmax(snapshot) from old))
    union all
    select id, xact from event
    where g.after is null
      and xact = any (array(select pg_snapshot_xip(base) from old except select xact from passed))
    offset 0) e
  where (select is_wanted from cut)
  limit $1 * 3
),
other as materialized (
  select r.id
  from other_row r, old
  where r.id > old.last_id and r.id <= old.end_id
    and pg_visible_in_snapshot(r.xact, old.snapshot) and not pg_visible_in_snapshot(r.xact, old.base)
),
-- If few events outside of large transactions remain, they are deferred to the next dispatch, and the backlog ends.
short as materialized (
  select (select is_wanted from cut) is true and (select count(*) from other_row) < $1 * 3
    and (select count(*) from other) <= $1 as is_short
),
candidate as materialized (
  select id, key from backlog where xact not in (select xact from large)
  union all
  select id, key from event
  where exists (select from partial) and (select events from fresh) <= $1
    and (select base is null from old) and xact >= (select pg_snapshot_xmax(snapshot) from old)
  union all
  select id, key from event
  where exists (select from partial) and (select events from fresh) <= $1
    and (select base is null from old) and xact = any ((select ids from ended)::xid8[])
  union all
  select id, key from event where id = any ((select deferred from old)::bigint[])
),
-- The `ahead` CTE contains the next rows after the dispatched events of the large transactions. If further rows can
-- remain, `end_id` is the number of the last row. Otherwise, `end_id` is null.
ahead as materialized (
  select id, xact, key from event
  where exists (select from partial) and exists (select from candidate) and id > (select min(last_id) from partial)
  order by id
  limit $1
),
ahead_end as materialized (
  select case when count(*) = $1 then max(id) end as end_id from ahead
),
next_event as materialized (
  select e.key, min(e.id) as id
  from ahead e
  join partial p on p.xact = e.xact and e.id > p.last_id
  group by e.key
),
other_key as materialized (
  select key from candidate where (select end_id from ahead_end) is not null
  except
  select key from next_event
),
-- For each key of a candidate, `id` is not higher than the number of the key's next event in a large transaction. If no
-- row of `ahead` has the key, the statement reads at most 50 of the key's events in the transaction. If all 50 events
-- are dispatched, further events can remain, so the key counts as a key that has undispatched events. With `=` instead
-- of `<=`, the plan could read all index entries of the key first.
blocking as materialized (
  select key, id from next_event
  union all
  select k.key, (select end_id from ahead_end)
  from other_key k
  where (
    select true
    from partial p, lateral (
      select e.hash = hashtext(k.key) as has_key
      from (
        select id, key, hash, row_number() over () as number
        from (
          select id, key, hashtext(key) as hash from event
          where xact >= p.xact and (xact, hashtext(key)) <= (p.xact, hashtext(k.key))
          order by xact desc, hashtext(key) desc
          limit 50) l) e
      where e.hash <> hashtext(k.key) or e.key = k.key and e.id > p.last_id or e.number = 50
      limit 1) s
    where s.has_key
    limit 1)
),
-- The `blocked` CTE contains events that would be dispatched before an earlier event of the same key.
blocked as materialized (
  select c.id from candidate c join blocking b on b.key = c.key and b.id < c.id
),
waiting as materialized (
  select array_agg(id order by id) as ids,
    -- If the large transactions are dispatched up to the backlog's position, the next dispatch must read the backlog.
    count(*) > 5000 and ((select min(last_id) from rest) < (select id from rest_end)) is true as is_full
  from blocked
),
appended as (
  insert into event_position (dispatched_at, snapshot, epoch, base, last_id, end_id, partial, deferred)
  select m.dispatched_at, n.snapshot, m.epoch, n.base, n.last_id, n.end_id,
    (select array_agg(row(p.xact, p.last_id, p.end_id)::partial_transaction) from partial p
      where not w.is_full or p.xact in (select xact from rest)),
    case when not w.is_full and s.is_short
        then (select array_agg(id order by id) from (select unnest(w.ids) as id union select id from other) d)
      when not w.is_full then w.ids
      else (select array_agg(d order by d) from unnest(old.deferred) d where d in (select unnest(w.ids))) end
  from old, moment m, piece p, fresh f, backlog_piece b, waiting w, short s, lateral (
    -- If too many events are deferred, only large transactions are dispatched.
    select old.snapshot, old.base, old.last_id, old.end_id where w.is_full
    union all
    select old.snapshot, old.base, old.last_id, old.last_id where not w.is_full and s.is_short
    union all
    select old.snapshot, old.base, b.last_id, old.end_id
    where not w.is_full and not s.is_short and old.base is not null and b.last_id is not null
    union all
    select old.snapshot, null, null, null
    where not w.is_full and not s.is_short and old.base is not null and b.last_id is null
    union all
    select m.snapshot, null, null, null where not w.is_full and old.base is null and f.events <= $1
    union all
    -- If more than $1 events are new, a backlog begins, and the next dispatch reads its first piece. Before the first
    -- new event, the log can contain millions of dispatched events.
    select m.snapshot, old.snapshot, coalesce(
        (select id - 1 from (select id, xact from event order by id limit $1 * 100) e
        where not pg_visible_in_snapshot(xact, old.snapshot) order by id limit 1),
        (select max(id) from (select id from event order by id limit $1 * 100) e)),
      (select last_value from event_id_seq)
    where not w.is_full and old.base is null and f.events > $1) n
  where f.events > 0 or old.base is not null or old.partial is not null or old.deferred is not null or $2
  -- While the log has a backlog, new events are not dispatched. Therefore, events may remain after the last piece of
  -- the backlog.
  returning base is not null or partial is not null or deferred is not null or (select base is not null from old)
)
select coalesce((select * from appended), false)
