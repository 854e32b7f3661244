-- Moves the blocks and reports of an anonymous user to an account, for merge_users. A block between the two users is
-- deleted. After the call, the API servers reread the chats and places that reread_groups selects. The caller must have
-- locked both users and merged their memberships. Locks: the blocks, then the chats of both users' groups in order of
-- id, then the rows that reread_groups locks. Indexes: user_block_pkey, user_block_blocked, user_report_reporter,
-- user_report_reported, member_of_user.
create or replace function merge_blocks(gone text, account text) returns void
language plpgsql as $$
declare
  blockers text[];
  blocked text[];
begin
  with own as (
    insert into user_block (user_id, blocked_user, created_at)
    select account, b.blocked_user, b.created_at from user_block b where b.user_id = gone and b.blocked_user <> account
    on conflict do nothing
    returning user_id, blocked_user
  ),
  by_others as (
    insert into user_block (user_id, blocked_user, created_at)
    select b.user_id, account, b.created_at from user_block b where b.blocked_user = gone and b.user_id <> account
    on conflict do nothing
    returning user_id, blocked_user
  )
  select array_agg(m.user_id::text), array_agg(m.blocked_user::text) into blockers, blocked
  from (select * from own union all select * from by_others) m;
  delete from user_block b where b.user_id = gone or b.blocked_user = gone;
  update user_report r set reporter = account where r.reporter = gone;
  update user_report r set reported = account where r.reported = gone;
  -- The merge of messages also changes chats. Their order of id prevents deadlocks.
  perform from group_chat c
  where c.group_id = any (array(select m.group_id from member m where m.user_id in (gone, account)))
  order by c.group_id for no key update;
  if blockers is not null then
    perform reread_groups(blockers, blocked);
  end if;
end $$
