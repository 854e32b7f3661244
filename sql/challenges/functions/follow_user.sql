-- Copies a user's current name and photo to the user's entries. If the user has left the group or does not share
-- workouts, the function hides the user's entries. The function is used for repairs by a role that may not write
-- entries. The function skips reopened boards, because a reopened board shows the names from the time when it was
-- closed. The caller must have locked the member and the boards. Index: challenge_pkey, member_pkey, entry_pkey.
create or replace function follow_user(of_group text, of_user text, boards uuid[]) returns void
language sql security definer set search_path from current as $$
update entry e
set display_name = u.display_name, photo_url = u.photo_url,
  hidden = m.left_at is not null or not u.shares_workouts
from challenge c, member m, users u
where c.id = any (boards) and c.reopened_until is null
  and m.group_id = of_group and m.user_id = of_user and u.id = m.user_id
  and e.challenge_id = c.id and e.user_id = m.user_id
  and (e.display_name, e.photo_url, e.hidden)
    is distinct from (u.display_name, u.photo_url, m.left_at is not null or not u.shares_workouts)
$$
