-- Deletes codes that ended before the retention time. $1 is the maximum number of codes. Rows: the number of deleted
-- codes. Locks: the deleted rows, SKIP LOCKED. Index: invite_end.
delete from invite
where code = any (array(
  select i.code
  from invite i
  where i.expires_at < (select domain_now() - in_seconds(kept_age) from setting)
  order by i.expires_at
  limit $1
  for update skip locked))
