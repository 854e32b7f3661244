-- Locks every group that refers to one of the given users, in order of id, for a call that deletes or merges users.
-- Retention deletes old memberships, so the creator or deleter of a group may have no row in member. Returns the ids of
-- the locked groups. Locks: the groups, FOR NO KEY UPDATE. Index: groups_pkey, member_of_user, group_creator,
-- group_deleter.
create or replace function hold_groups(of_users text[]) returns text[]
language plpgsql as $$
begin
  return array(
    select g.id::text from groups g
    where g.id in (
      select m.group_id from member m where m.user_id = any (of_users)
      union
      select c.id from groups c where c.created_by = any (of_users)
      union
      select d.id from groups d where d.deleted_by = any (of_users))
    order by g.id
    for no key update);
end $$
