-- Returns the actor's statistics. The current streak ends today or yesterday in the actor's time zone (UTC if the actor
-- has no time zone). A visit counts on the date in the group's time zone, which may already be the actor's next day.
-- The current streak may therefore also end on the actor's next day. Index: users_pkey, user_stats_pkey,
-- visit_streak_pkey.
create or replace function get_stats(actor text)
returns table (check_ins bigint, first_arrivals bigint, groups_visited bigint, current_streak bigint,
  longest_streak bigint, longest_stay bigint, messages_sent bigint)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  return query
  select coalesce(s.check_ins, 0), coalesce(s.first_arrivals, 0), coalesce(s.groups_visited, 0),
    case when t.ends >= (domain_now() at time zone coalesce(u.time_zone, 'UTC'))::date - 1
      then t.ends - t.begins + 1 else 0 end::bigint,
    coalesce(s.longest_streak, 0), coalesce(s.longest_stay, 0), coalesce(s.messages_sent, 0)
  from users u
  left join user_stats s on s.user_id = u.id
  left join lateral (
    select v.begins, v.ends from visit_streak v where v.user_id = u.id order by v.begins desc limit 1) t on true
  where u.id = actor;
end $$;

comment on function get_stats is 'What the actor has done, in numbers.'
