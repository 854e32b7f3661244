-- Returns the published boards of the current week for all their observers. After the call, the caller must call
-- refused_viewers to check which observers may read the boards. The rows are in the same order as the given boards. The
-- rows of one board are ordered by position. A board without entries has one row, in which all entry columns are null.
-- If a board does not exist, the result contains no row for it. All rows match the returned versions, because one
-- statement uses one snapshot. OFFSET 0 makes the planner read one board after another.
create or replace function running_boards(of_groups text[], types text[])
returns table (number bigint, board uuid, week_start date, is_active boolean, created_at timestamptz,
  taken_at timestamptz, rank_version bigint, members_mark bigint, user_id text, display_name text,
  photo_url text, value integer, rank integer, last_updated timestamptz)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select w.number, b.id, b.week_start, b.is_active, b.created_at, domain_now(), b.rank_version, b.mark,
    s.user_id::text, s.display_name, s.photo_url, s.value, s.rank, s.last_updated
  from unnest(of_groups, types) with ordinality w (group_id, type, number)
  cross join lateral (
    select c.id, c.week_start, c.state = 'open' and c.ends_at > domain_now() as is_active, c.created_at,
      v.rank_version,
      case when (select include_zero from setting) then members_mark(c.group_id) else 0 end as mark
    from challenge c
    join board_version v on v.challenge_id = c.id
    where c.group_id = w.group_id and c.week_start = week_of(domain_now())
      and c.type = w.type::challenge_type
    offset 0
  ) b
  left join lateral (
    select * from leaderboard l where l.challenge_id = b.id
    offset 0
  ) s on true
  order by w.number, s.position;
end $$;

comment on function running_boards is 'Boards of the running week, for all who observe them.'
