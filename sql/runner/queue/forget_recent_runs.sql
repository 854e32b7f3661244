-- Deletes the records of runs that no longer delay the next run of a throttled key, from a few pages of the table.
-- Records are appended, so the records of one time are near each other, and no index is needed that every dispatch
-- would have to update. $1 is the first page, $2 the number of pages. Rows: one row with the number of deleted records,
-- and whether these pages are the last ones. Locks: the deleted rows, SKIP LOCKED. Index: none, the pages are read by
-- their numbers.
with past as materialized (
  select ctid as place from recent_run
  where ctid >= format('(%s,0)', $1::bigint)::tid and ctid < format('(%s,0)', $1::bigint + $2::bigint)::tid
    and free_at <= now()
  for update skip locked
),
forgotten as (
  delete from recent_run where ctid = any (array(select place from past)) returning 1
)
select (select count(*) from forgotten),
  ($1::bigint + $2::bigint) * current_setting('block_size')::bigint >= pg_relation_size('recent_run'::regclass)
