-- Returns a user's own row, with the columns that the user may see.
create or replace function user_row(of_user text) returns user_answer
language sql stable
return (
  select row(u.id, u.display_name, u.photo_url, u.is_anonymous, u.asks_for_name, u.time_zone,
    u.version, u.created_at)::user_answer
  from users u
  where u.id = of_user
)
