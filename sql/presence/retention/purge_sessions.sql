-- Deletes sessions of devices that ended before the retention time. $1 is the maximum number of sessions. Rows: the
-- number of deleted sessions. Locks: the deleted rows, SKIP LOCKED. Index: session_end.
delete from session
where id = any (array(
  select s.id
  from session s
  where s.expires_at < (select domain_now() - in_seconds(kept_age) from setting)
  order by s.expires_at
  limit $1
  for update skip locked))
