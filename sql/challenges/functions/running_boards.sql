-- Boards of the running week as they are published, for all who observe them: who of them may, refused_viewers says
-- behind it. In order of the list and by position; without entries a row whose last columns are null, none where the
-- board is not made. One statement, hence one snapshot: what it shows is what its versions say. OFFSET 0 keeps it to
-- one board after the other.
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
