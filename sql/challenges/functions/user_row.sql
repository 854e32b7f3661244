-- Returns a user's own row, with the columns that the user may see.
create or replace function user_row(of_user text) returns user_answer
language sql stable
return (
  select row(u.id, u.display_name, u.email, u.photo_url, u.auth_provider, a.group_id,
    u.shares_workouts, u.time_zone, u.asks_for_name, u.created_at)::user_answer
  from users u
  left join active_group a on a.user_id = u.id
  where u.id = of_user
)
