-- Ranks boards from their entries and publishes what differs; closed boards are left alone.
-- $1 boards. Rows: one: standings written, boards whose rank_version went up.
-- Locks: standings that change; the caller holds the publish locks. Index: entry_pkey.
-- Order: value, then who reached it first, then who joined first, then the user's id by bytes.
-- Rows that are the same are found by a join, because ON CONFLICT locks each row that it meets.
-- Every table is narrowed by = any ($1): joined with a CTE alone, the planner reads all of it.
with board as materialized (
  select c.id, case c.type when 'check-ins' then s.check_ins_rank else s.streak_rank end as policy
  from challenge c, setting s
  where c.id = any ($1) and c.state = 'open'
),
ranked as materialized (
  select e.challenge_id, e.user_id, e.value, e.display_name, e.photo_url, e.last_updated,
    (case b.policy
      when 'competition' then rank() over by_value
      when 'dense' then dense_rank() over by_value
      else row_number() over by_position end)::integer as rank,
    (row_number() over by_position)::integer as position
  from entry e
  join board b on b.id = e.challenge_id
  where e.challenge_id = any ($1) and e.value > 0 and not e.hidden
  window by_value as (partition by e.challenge_id order by e.value desc),
    by_position as (partition by e.challenge_id
      order by e.value desc, e.reached_at, e.joined_at, e.user_id)
),
gone as (
  delete from standing s
  using board b
  where s.challenge_id = any ($1) and s.challenge_id = b.id
    and not exists (
      select from ranked r where r.challenge_id = s.challenge_id and r.user_id = s.user_id)
  returning s.challenge_id
),
written as (
  insert into standing (challenge_id, user_id, value, rank, position, display_name, photo_url,
    last_updated)
  select r.challenge_id, r.user_id, r.value, r.rank, r.position, r.display_name, r.photo_url,
    r.last_updated
  from ranked r
  left join (select * from standing where challenge_id = any ($1)) s
    on s.challenge_id = r.challenge_id and s.user_id = r.user_id
  where s.user_id is null
    or (s.value, s.rank, s.position, s.display_name, s.photo_url, s.last_updated)
      is distinct from
      (r.value, r.rank, r.position, r.display_name, r.photo_url, r.last_updated)
  on conflict (challenge_id, user_id) do update
  set value = excluded.value, rank = excluded.rank, position = excluded.position,
    display_name = excluded.display_name, photo_url = excluded.photo_url,
    last_updated = excluded.last_updated
  returning challenge_id
),
raised as (
  update publication
  set rank_version = rank_version + 1, is_told = false
  where challenge_id = any ($1) and challenge_id in (select challenge_id from gone union select challenge_id from written)
  returning 1
)
select (select count(*) from gone) + (select count(*) from written), (select count(*) from raised)
