-- Returns the viewers who may not read a group, with the reason. The function applies the same rules as require_member.
-- A scalar subquery checks each viewer separately, because a join might read whole tables. Index: member_pkey.
create or replace function refused_viewers(viewers text[], of_groups text[])
returns table (number bigint, refusal text)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select v.number,
    case
      when not exists (select from users u where u.id = v.user_id and u.merged_into is null) then 'notAuthenticated'
      when not exists (select from groups g where g.id = v.group_id and g.is_active and g.is_public)
        then 'groupNotFound'
      else 'notAMember'
    end
  from unnest(viewers, of_groups) with ordinality v (user_id, group_id, number)
  where (
    select true from member m
    where m.group_id = v.group_id and m.user_id = v.user_id and m.left_at is null) is null;
end $$;

comment on function refused_viewers is 'Which viewers may not see what happens in a group, and why.'
