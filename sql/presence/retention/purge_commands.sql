-- Deletes responses to commands that are older than the retention time. $1 is the maximum number of responses. Rows:
-- the number of deleted responses. Locks: the deleted rows, SKIP LOCKED. Index: presence_command_age.
delete from presence_command
where (user_id, id) in (
  select c.user_id, c.id
  from presence_command c
  where c.answered_at < (select domain_now() - in_seconds(command_age) from setting)
  order by c.answered_at
  limit $1
  for update skip locked)
