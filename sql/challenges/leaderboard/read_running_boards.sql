-- Boards of the running week. $1 groups, $2 types. Rows: one an entry, in order of the list and by position: number in
-- the list from 1, board; without entries one whose last columns are null; none where the board is not made.
-- One statement, hence one snapshot: what it shows is what its versions say. Locks: none.
-- Indexes: challenge_board, board_version_pkey, standing_pkey. OFFSET 0 keeps it to one board after the other.
select w.number, b.id, b.week_start::text, b.is_active, b.created_at, domain_now(), b.rank_version, b.mark,
  s.user_id::text, s.display_name, s.photo_url, s.value, s.rank, s.last_updated
from unnest($1::text[], $2::text[]) with ordinality w (group_id, type, number)
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
order by w.number, s.position
