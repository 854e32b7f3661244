-- Users by id or by name; if a user has that id, only that user. $1 id or name. Rows: id, name, the group in which they
-- are a member now (null: none). Locks: none. It reads all users, which is acceptable for a manual query.
select u.id::text, u.display_name, a.group_id::text
from users u
left join active_group a on a.user_id = u.id
where u.id = $1::text
  or u.display_name = $1::text and not exists (select from users where id = $1::text)
order by u.id
