-- Deletes memberships if the retention period has passed since they ended, oldest first, with their presences and token
-- buckets. The search starts at the time `since`. Returns the number of deleted memberships, and the end time of the
-- newest membership that was read. The groups are locked first, as in all calls that change members. The function never
-- waits for a lock. Rows that another transaction has locked are deleted the next night. Locks: the groups FOR NO KEY
-- UPDATE and the deleted rows, both SKIP LOCKED. Index: member_age, presence_pkey, message_bucket_pkey.
create or replace function purge_memberships(
  most integer, since timestamptz, out deleted bigint, out reached timestamptz
)
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  cutoff constant timestamptz := (select domain_now() - in_seconds(s.group_age) from setting s);
  of_groups text[];
  of_users text[];
begin
  perform require_read_committed();
  select array_agg(distinct o.group_id::text), max(o.left_at) into of_groups, reached
  from (
    select m.group_id, m.left_at from member m
    where m.left_at < cutoff and m.left_at >= coalesce(since, '-infinity')
    order by m.left_at
    limit most
  ) o;
  of_groups := array(
    select g.id from groups g where g.id = any (of_groups) for no key update skip locked);
  with old as materialized (
    select m.group_id, m.user_id from member m
    where m.left_at < cutoff and m.left_at between coalesce(since, '-infinity') and reached
      and m.group_id = any (of_groups)
    for update of m skip locked
  )
  select array_agg(o.group_id::text), array_agg(o.user_id::text) into of_groups, of_users from old o;
  delete from presence p
  using unnest(of_groups, of_users) o (group_id, user_id)
  where p.group_id = o.group_id and p.user_id = o.user_id;
  delete from message_bucket b
  using unnest(of_groups, of_users) o (group_id, user_id)
  where b.user_id = o.user_id and b.group_id = o.group_id;
  delete from member m
  using unnest(of_groups, of_users) o (group_id, user_id)
  where m.group_id = o.group_id and m.user_id = o.user_id;
  deleted := coalesce(cardinality(of_users), 0);
end $$
