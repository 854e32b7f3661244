-- Makes servers reread chats and places after the user `one` blocks or unblocks the user `other`. The versions of the
-- chats and places increase, as after a message or an arrival. The chats are those of the groups of `one` in which
-- `other` is or was a member, because a former member's messages remain. The places are those of the groups in which
-- both users are or were members, and at least one is a member. Former members count here, because a former member can
-- be the day's first arrival. Locks: the rows of group_chat, then the rows of group_summary, each in order of id.
-- Indexes: member_user, member_pkey, group_chat_pkey, group_summary_pkey.
create or replace function reread_groups(one text, other text) returns void
language plpgsql as $$
declare
  chats constant text[] := array(
    select mine.group_id::text
    from member mine
    join member theirs on theirs.group_id = mine.group_id
    where mine.user_id = one and mine.left_at is null and theirs.user_id = other
    order by 1);
  places constant text[] := array(
    select unnest(chats)
    union
    select theirs.group_id::text
    from member theirs
    join member mine on mine.group_id = theirs.group_id
    where theirs.user_id = other and theirs.left_at is null and mine.user_id = one
    order by 1);
begin
  perform from group_chat c where c.group_id = any (chats) order by c.group_id for no key update;
  update group_chat c set version = c.version + 1 where c.group_id = any (chats);
  perform from group_summary s where s.group_id = any (places) order by s.group_id for no key update;
  update group_summary s set version = s.version + 1, changed_at = domain_now() where s.group_id = any (places);
  perform wake_observers_of('chats', chats);
  perform wake_observers_of('presences', places);
end $$
