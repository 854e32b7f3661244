-- Makes servers read the chats and places of two users' common groups again after one user blocks or unblocks the
-- other. The versions of the chats and places increase, as after a message or an arrival. Locks: the rows of
-- group_chat, then the rows of group_summary, each in order of id. Indexes: member_user, member_pkey, group_chat_pkey,
-- group_summary_pkey.
create or replace function reread_groups(one text, other text) returns void
language plpgsql as $$
declare
  common constant text[] := array(
    select mine.group_id::text
    from member mine
    join member theirs on theirs.group_id = mine.group_id
    where mine.user_id = one and theirs.user_id = other and mine.left_at is null and theirs.left_at is null
    order by 1);
begin
  perform from group_chat c where c.group_id = any (common) order by c.group_id for no key update;
  update group_chat c set version = c.version + 1 where c.group_id = any (common);
  perform from group_summary s where s.group_id = any (common) order by s.group_id for no key update;
  update group_summary s set version = s.version + 1, changed_at = domain_now() where s.group_id = any (common);
  perform wake_observers_of('chats', common);
  perform wake_observers_of('presences', common);
end $$
