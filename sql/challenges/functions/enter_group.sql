-- Adds a user to a group that the caller has locked. If a former member returns, the existing row in the `member` table
-- is used again. For the lock order, see docs/gymrats/groups.md. Each time a former member returns to a group, a row is
-- added to the `membership` table. Later calls read all of the user's memberships in the group, so the joins_a_day
-- setting limits how often a former member may return per day. Index: membership_pkey.
create or replace function enter_group(it groups, of_user text, at timestamptz) returns void
language plpgsql as $$
declare
  other text;
  earlier timestamptz;
  is_back boolean;
  most constant integer := (select s.joins_a_day from setting s);
begin
  select a.group_id into other from active_group a where a.user_id = of_user;
  if found then
    perform refuse_second_group(of_user, other);
  elsif it.member_count >= it.max_members then
    perform refuse('groupFull', format('group %s has all of its %s members', quote_literal(it.id),
      it.max_members), 'Nothing was changed. Try again when a member has left.');
  end if;
  -- The user's row in `member` is locked first, as in calls that record workouts.
  select m.left_at into earlier from member m
  where m.group_id = it.id and m.user_id = of_user for no key update;
  is_back := found;
  if is_back and (
    select count(*) from (
      select from membership i
      where i.group_id = it.id and i.user_id = of_user and i.joined_at > at - interval '24 hours'
        -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
        and i.joined_at <= at + interval '1 minute'
      limit most) i) >= most then
    perform refuse_limit('joins_a_day', format('user %s joined group %s too often within a day',
      quote_literal(of_user), quote_literal(it.id)));
  elsif is_back then
    update member m set left_at = null where m.group_id = it.id and m.user_id = of_user;
  else
    insert into member (group_id, user_id, joined_at) values (it.id, of_user, at);
  end if;
  if not is_back or earlier <= at - interval '24 hours' or earlier > at + interval '1 minute' then
    perform tell_new_member(it.id, of_user);
  end if;
end $$
