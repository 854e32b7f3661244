-- Computes board ranks from entries, publishes the changed ranks and wakes observers. Closed boards do not change. $1:
-- the ids of the boards. Members are ordered by value (highest first), the time when they reached it, join time, and
-- the bytes of their ids. Rows: one row with the numbers of changed standings and of boards with a new rank_version.
-- Locks: the changed standings. The caller must hold the publish locks of the boards, because the statement finds rows
-- by ctid. ON CONFLICT is not used, because it would find and lock each row again. The statement compares computed and
-- published rows with FULL JOIN, which PostgreSQL never executes as a nested loop. In a measurement, the statement with
-- a nested loop took 5 s for 500 boards. The statement's remaining queries use arrays to find rows. Indexes:
-- entry_pkey, standing_pkey.
with board as materialized (
  select c.id, row_number() over () as number, case c.type
    when 'check-ins' then (select check_ins_rank from setting where singleton)
    else (select streak_rank from setting where singleton) end as policy
  from challenge c
  where c.id = any ($1) and c.state = 'open'
),
-- The window functions receive sorted rows, so the row number is the position.
ranked as (
  select challenge_id, user_id, value, display_name, photo_url, last_updated,
    (case policy
      when 'competition' then rank() over board
      when 'dense' then dense_rank() over board
      else row_number() over board end)::integer as rank,
    (row_number() over board)::integer as position
  from (
    select e.*, b.policy, b.number
    from entry e
    join board b on b.id = e.challenge_id
    where e.challenge_id = any (array(select id from board)) and e.value > 0 and not e.hidden
    order by b.number, e.value desc, e.reached_at, e.joined_at, e.user_id
    offset 0
  ) sorted
  window board as (partition by number order by value desc)
),
different as materialized (
  select challenge_id, user_id, r.value, r.rank, r.position, r.display_name, r.photo_url,
    r.last_updated, s.place
  from ranked r
  full join (
    select *, ctid as place from standing where challenge_id = any (array(select id from board))
  ) s using (challenge_id, user_id)
  where (r.value, r.rank, r.position, r.display_name, r.photo_url, r.last_updated)
    is distinct from (s.value, s.rank, s.position, s.display_name, s.photo_url, s.last_updated)
),
deleted as (
  delete from standing
  where ctid = any (array(select place from different where rank is null))
  returning challenge_id, user_id, told_rank
),
-- For each hidden entry, tell_ranks must correct the last notified ranks of the remaining members. The entries are
-- found one by one, because a join would read all entries.
gone as (
  insert into silent_move (challenge_id, user_id, gone_rank)
  select challenge_id, user_id, told_rank
  from deleted d
  where told_rank is not null and coalesce(
    (select e.hidden from entry e where (e.challenge_id, e.user_id) = (d.challenge_id, d.user_id)), true)
),
made as (
  insert into standing (challenge_id, user_id, value, rank, position, display_name, photo_url,
    last_updated)
  select challenge_id, user_id, value, rank, position, display_name, photo_url, last_updated
  from different
  where place is null
  -- This order stores each board's rows together, because readers read whole boards.
  order by challenge_id, position
  returning 1
),
written as (
  update standing s
  set value = d.value, rank = d.rank, position = d.position, display_name = d.display_name,
    photo_url = d.photo_url, last_updated = d.last_updated
  from different d
  where d.place = s.ctid
    and s.ctid = any (array(
      select place from different where rank is not null and place is not null))
  returning 1
),
raised as (
  update board_version
  set rank_version = rank_version + 1, is_told = false
  where challenge_id = any (array(select challenge_id from different))
  returning challenge_id
)
select (select count(*) from deleted) + (select count(*) from made) + (select count(*) from written),
  (select count(*) from raised),
  wake_observers_of('boards', array(select challenge_id::text from raised))
