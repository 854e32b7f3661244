-- Creates an ended week that is not closed, a closed week before it, and empty boards for the current week. The
-- `bench.first` setting is the number of groups, each with ten members. Each board of the ended week has ten entries
-- and ten published standings, and the members were notified of their ranks. The rows are stored in group order, as in
-- the plain SQL benchmark. Rows: none. Locks: the new rows. The script disables foreign keys and triggers.
begin;
set local search_path = baton_bench;
set local session_replication_role = replica;
set local synchronous_commit = off;
-- The previous week cannot be closed during the grace period after midnight on a Monday, so the grace period is 0.
update setting set grace = '0' where domain_now() < week_of(domain_now()) + grace;
insert into schedule_delay (job, delay) select 'close-week', grace from setting
on conflict (job) do update set delay = excluded.delay;
create temporary table size on commit drop as
select current_setting('bench.first')::bigint as groups, week_of(domain_now()) as this_week;
insert into groups (id, name, max_members, member_count)
select 'group-' || lpad(g::text, 8, '0'), 'Group ' || g, 10, 10
from size, generate_series(1, groups) g;
insert into users (id, display_name)
select 'user-' || lpad(u::text, 9, '0'), 'Member ' || u
from size, generate_series(1, groups * 10) u;
insert into member (group_id, user_id, joined_at)
select 'group-' || lpad((1 + (u - 1) / 10)::text, 8, '0'), 'user-' || lpad(u::text, 9, '0'),
  domain_now() - interval '1 year'
from size, generate_series(1, groups * 10) u;
insert into active_group (user_id, group_id) select user_id, group_id from member;
insert into challenge (id, group_id, week_start, type, state, closed_at)
select challenge_id(g.id, this_week - back, t), g.id, this_week - back, t,
  case back when 14 then 'closed' else 'open' end::challenge_state,
  case back when 14 then domain_now() - interval '7 days' end
from size, groups g, unnest(array[14, 7, 0]) back, unnest(enum_range(null::challenge_type)) t
order by back desc, g.id, t;
insert into standing (challenge_id, user_id, value, rank, position, display_name, last_updated,
  told_rank, told_value)
select c.id, m.user_id, 1 + p.place % 7, p.place, p.place,
  'Member ' || substr(m.user_id, 6)::bigint, domain_now() - interval '7 days', p.place,
  1 + p.place % 7
from size, challenge c
join member m using (group_id),
  lateral (select substr(m.user_id, 6)::bigint % 10 as number) n,
  lateral (select case when c.state = 'closed' then 10 - n.number else 1 + n.number end as place) p
where c.week_start < this_week
order by c.week_start, c.group_id, c.type, m.user_id;
insert into entry (challenge_id, user_id, value, reached_at, joined_at, display_name, last_updated)
select s.challenge_id, s.user_id, s.value, s.last_updated, s.last_updated, s.display_name,
  s.last_updated
from standing s
join challenge c on c.id = s.challenge_id and c.state = 'open'
order by c.group_id, c.type, s.user_id;
insert into closed_week (group_id, week_start, is_told, closed_at, members, check_ins_ranks,
  streak_ranks)
select r.group_id, r.week_start, true, domain_now() - interval '7 days', array_agg(r.user_id::text),
  array_agg(r.check_ins_rank), array_agg(r.streak_rank)
from (
  select c.group_id, c.week_start, s.user_id,
    max(s.rank) filter (where c.type = 'check-ins') as check_ins_rank,
    max(s.rank) filter (where c.type = 'streak') as streak_rank
  from challenge c
  join standing s on s.challenge_id = c.id
  where c.state = 'closed'
  group by c.week_start, c.group_id, s.user_id
  order by c.week_start, c.group_id, s.user_id
) r
group by r.week_start, r.group_id;
insert into board_version (challenge_id, rank_version, is_told)
select id, 1, true from challenge c, size where c.week_start < this_week
order by c.week_start, c.group_id, c.type;
commit
