-- Deletes devices that have not been registered again for longer than device_age. An app registers its device each time
-- it starts. The oldest rows are deleted first. $1: the maximum number of rows to delete. $2: the time to search from,
-- or null to start with the oldest row. Rows: one row with the number of deleted rows, and the time of the newest
-- deleted row, or null. Locks: the deleted rows, SKIP LOCKED. Index: push_device_age.
with old as materialized (
  select d.id, d.registered_at as at
  from push_device d
  where d.registered_at < (select domain_now() - in_seconds(device_age) from setting)
    and d.registered_at >= coalesce($2::timestamptz, '-infinity')
  order by d.registered_at
  limit $1
  for update of d skip locked
),
gone as (
  delete from push_device where id = any (array(select id from old))
)
select count(*), max(old.at) from old
