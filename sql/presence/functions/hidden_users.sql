-- Returns the users whose presence a user does not see, because one of the two users has blocked the other user. Locks:
-- none. Indexes: user_block_pkey, user_block_blocked.
create or replace function hidden_users(of_user text) returns text[]
language sql stable
return array(
  select b.blocked_user::text from user_block b where b.user_id = of_user
  union
  select b.user_id::text from user_block b where b.blocked_user = of_user)
