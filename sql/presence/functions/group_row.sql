-- Returns a group with a given user's role in the group. If the user is not a member, the role is null.
-- needs: shape_json
create or replace function group_row(of_group text, of_user text) returns group_answer
language sql stable
return (
  select row(g.id, g.name, shape_json(g), g.is_public, g.time_zone, g.member_count, g.max_members, g.is_active,
    g.version, g.created_at, g.created_by, m.role, m.joined_at)::group_answer
  from groups g
  left join member m on m.group_id = g.id and m.user_id = of_user and m.left_at is null
  where g.id = of_group
)
