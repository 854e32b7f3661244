-- Makes servers reread chats and places after each user in `ones` blocks or unblocks the user at the same position in
-- `others`. The versions of the chats and places increase, as after a message or an arrival. The chats are those of the
-- groups of `one` in which `other` is or was a member, because a former member's messages remain. The places are those
-- of the groups in which both users are or were members, and at least one is a member. Former members count here,
-- because a former member can be the day's first arrival. Locks: the rows of group_chat, then the rows of
-- group_summary, each in order of id. Indexes: member_of_user, member_user, member_pkey, group_chat_pkey,
-- group_summary_pkey.
create or replace function reread_groups(ones text[], others text[]) returns void
language plpgsql as $$
declare
  chats constant text[] := array(
    select distinct mine.group_id::text
    from unnest(ones, others) p (one, other)
    join member mine on mine.user_id = p.one and mine.left_at is null
    -- With a join, the planner may read all members of each group.
    where exists (
      select from member theirs where theirs.group_id = mine.group_id and theirs.user_id = p.other offset 0)
    order by 1);
  places constant text[] := array(
    select unnest(chats)
    union
    select theirs.group_id::text
    from unnest(ones, others) p (one, other)
    join member theirs on theirs.user_id = p.other and theirs.left_at is null
    where exists (
      select from member mine where mine.group_id = theirs.group_id and mine.user_id = p.one offset 0)
    order by 1);
begin
  perform from group_chat c where c.group_id = any (chats) order by c.group_id for no key update;
  update group_chat c set version = c.version + 1 where c.group_id = any (chats);
  perform from group_summary s where s.group_id = any (places) order by s.group_id for no key update;
  update group_summary s set version = s.version + 1, changed_at = domain_now() where s.group_id = any (places);
  perform wake_observers_of('chats', chats);
  perform wake_observers_of('presences', places);
end $$
