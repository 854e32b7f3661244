-- Deletes invites that ended before the retention time of boards. $1 is the maximum number of invites. Rows: the
-- number of deleted invites. Locks: the deleted rows, SKIP LOCKED. Index: invite_end.
delete from invite
where id = any (array(
  select i.id
  from invite i
  where i.expires_at < (select domain_now() - in_seconds(board_age) from setting)
  order by i.expires_at
  limit $1
  for update skip locked))
