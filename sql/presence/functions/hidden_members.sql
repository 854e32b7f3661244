-- For each viewer in a server's streams, returns the group members whom the viewer does not see. `is_blocked` is true
-- if the viewer has blocked the member. Only the server may execute the function, because the result contains other
-- users' blocks. Locks: none. Indexes: user_block_pkey, user_block_blocked, member_pkey.
create or replace function hidden_members(viewers text[], of_groups text[])
returns table (number bigint, user_id text, is_blocked boolean)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select v.number, h.other, bool_or(h.is_own)
  from unnest(viewers, of_groups) with ordinality v (user_id, group_id, number)
  cross join lateral (
    select b.blocked_user::text as other, true as is_own from user_block b where b.user_id = v.user_id
    union all
    select b.user_id::text, false from user_block b where b.blocked_user = v.user_id
  ) h
  join member m on m.group_id = v.group_id and m.user_id = h.other
  group by v.number, h.other;
end $$;

comment on function hidden_members is 'Which members the viewers of groups do not see.'
