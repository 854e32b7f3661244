-- Creates rows that are old enough to be deleted by retention. The `bench.first` setting is the number of closed
-- boards, two for each group, in a week that ended 100 days ago. Each board is published and has ten entries, ten
-- standings, the last notified ranks, and the records of the closed week. The `bench.second` setting is the number of
-- notifications that were created on one old day. Each group also has ten members and empty boards for the current
-- week. Rows: none. Locks: the truncated tables and the new rows. The script disables foreign keys and triggers.
-- CASCADE includes all tables that reference the truncated tables.
begin;
set local search_path = baton_bench;
set local session_replication_role = replica;
set local synchronous_commit = off;
truncate groups, users, identity, member, active_group, membership, invite, invite_attempt, session,
  silent_move, usage_log, client_event, ignored_workout,
  challenge, entry, standing, board_version, closed_week, notification, workout, workout_day,
  workout_revision, refused_edit, sharing_pause, reported_streak, run, run_history, event_0, event_1,
  event_2, dead_run
cascade;
create temporary table size on commit drop as
select current_setting('bench.first')::bigint / 2 as groups,
  current_setting('bench.second')::bigint as notifications, week_of(domain_now()) as this_week,
  domain_now() as at;
insert into groups (id, name, max_members, member_count)
select 'group-' || lpad(g::text, 8, '0'), 'Group ' || g, 10, 10
from size, generate_series(1, groups) g;
insert into users (id, display_name)
select 'user-' || lpad(u::text, 9, '0'), 'Member ' || u
from size, generate_series(1, groups * 10) u;
insert into member (group_id, user_id, joined_at)
select 'group-' || lpad((1 + (u - 1) / 10)::text, 8, '0'), 'user-' || lpad(u::text, 9, '0'),
  at - interval '1 year'
from size, generate_series(1, groups * 10) u;
insert into active_group (user_id, group_id) select user_id, group_id from member;
insert into challenge (id, group_id, week_start, type, state, closed_at)
select challenge_id(g.id, this_week - back, t), g.id, this_week - back, t,
  case back when 0 then 'open' else 'closed' end::challenge_state,
  case back when 0 then null else at - interval '100 days' end
from size, groups g, unnest(array[105, 0]) back, unnest(enum_range(null::challenge_type)) t
order by back desc, g.id, t;
insert into entry (challenge_id, user_id, value, reached_at, joined_at, display_name, last_updated)
select c.id, m.user_id, 1, at - interval '101 days', m.joined_at, 'Member', at - interval '101 days'
from size, challenge c
join member m using (group_id)
where c.state = 'closed'
order by c.group_id, c.type, m.user_id;
insert into standing (challenge_id, user_id, value, rank, position, display_name, last_updated,
  told_rank, told_value)
select challenge_id, user_id, value, 1, 1, display_name, last_updated, 1, value from entry;
insert into board_version (challenge_id, rank_version, is_told)
select id, 1, true from challenge where state = 'closed' order by group_id, type;
insert into closed_week (group_id, week_start, is_told, closed_at, members, check_ins_ranks,
  streak_ranks)
select group_id, this_week - 105, true, at - interval '98 days', array_agg(user_id),
  array_agg(1), array_agg(1)
from size, member
group by group_id, this_week, at;
insert into notification (partition, created_at, user_id, group_id, type, content, changed_at)
select day_partition(old), old, 'user-' || lpad((1 + i % (groups * 10))::text, 9, '0'),
  'group-' || lpad((1 + i % (groups * 10) / 10)::text, 8, '0'), 'week_ended', '{"k": 1}', old
from size, generate_series(1, notifications) i,
  lateral (select (date_trunc('day', at at time zone 'UTC') at time zone 'UTC') - interval '10 days'
    + (1 + i % 10) * interval '1 hour' as old) o;
commit
