-- Finds users by id or name. If a user has the id, only this user is returned. $1: the id or the name. Rows: the id,
-- the name, and the user's current group (or null). Locks: none. The statement reads all users, which is acceptable for
-- a manual query.
select u.id::text, u.display_name, a.group_id::text
from users u
left join active_group a on a.user_id = u.id
where u.id = $1::text
  or u.display_name = $1::text and not exists (select from users where id = $1::text)
order by u.id
