-- Deletes groups if the retention period has passed since they ended. Groups that have a membership, presence, message,
-- code or first arrival are not deleted. The function reads up to `most` groups, oldest first, and starts at the time
-- `since`. Returns the number of deleted groups, and the end time of the newest group that was read. Locks: the groups
-- FOR UPDATE, SKIP LOCKED, then the summaries and chats of the groups. Index: group_age, member_pkey, message_history,
-- invite_group, first_arrival_pkey, presence_pkey.
create or replace function purge_groups(
  most integer, since timestamptz, out deleted bigint, out reached timestamptz
)
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  cutoff constant timestamptz := (select domain_now() - in_seconds(s.group_age) from setting s);
  old text[];
begin
  perform require_read_committed();
  -- The LIMIT is in a separate subquery, because a query that also contained the conditions below would read all rows.
  select array_agg(r.id::text), max(r.ended_at) into old, reached
  from (
    select g.id, g.ended_at from groups g
    where g.ended_at < cutoff and g.ended_at >= coalesce(since, '-infinity')
    order by g.ended_at
    limit most
  ) r;
  old := array(
    select g.id from groups g
    where g.id = any (old)
      and not exists (select from member m where m.group_id = g.id offset 0)
      and not exists (select from presence p where p.group_id = g.id offset 0)
      and not exists (select from message m where m.group_id = g.id offset 0)
      and not exists (select from invite i where i.group_id = g.id offset 0)
      and not exists (select from first_arrival f where f.group_id = g.id offset 0)
    for update of g skip locked);
  delete from group_summary s where s.group_id = any (old);
  delete from group_chat c where c.group_id = any (old);
  delete from groups g where g.id = any (old);
  deleted := cardinality(old);
end $$
