-- Removes codes that ended longer ago than the retention time. $1 how many. Rows: the number. Locks: those rows, SKIP
-- LOCKED. Index: invite_end.
delete from invite
where code = any (array(
  select i.code
  from invite i
  where i.expires_at < (select domain_now() - in_seconds(kept_age) from setting)
  order by i.expires_at
  limit $1
  for update skip locked))
