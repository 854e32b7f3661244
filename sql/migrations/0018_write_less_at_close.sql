-- What the close of a week writes and reads for each group, made less. docs/performance.md has the figures,
-- docs/decisions/0011-what-notices-share-is-kept-once.md the reasons.

alter table notification
  -- Of a week_ended: its Monday, and what the member's scores were: rank, value and the rank of the week
  -- before in check-ins, then the same in streak. visible_notification makes content of them. Null in
  -- notices that were written before, which hold their content.
  add week_start date,
  add scores integer[];

-- By week first, one index instead of two: nobody looks for a group in all weeks.
alter table week_notice drop constraint week_notice_pkey;
alter table week_notice
  add primary key (week_start, group_id),
  -- How often the week was closed: the first time tells its members.
  add closings integer not null default 1,
  -- The ranks of whoever took part or was a member, so that the close of the next week reads one row here
  -- instead of twenty standings. Null where there was nobody.
  add members text[] collate "C",
  add check_ins_ranks integer[],
  add streak_ranks integer[];
drop index week_notice_age;

-- The weeks before those that are still to be told.
update week_notice w
set members = r.members, check_ins_ranks = r.check_ins_ranks, streak_ranks = r.streak_ranks
from (
  select group_id, week_start, array_agg(user_id) as members,
    array_agg(check_ins_rank) as check_ins_ranks, array_agg(streak_rank) as streak_ranks
  from (
    select c.group_id::text, c.week_start, s.user_id::text,
      max(s.rank) filter (where c.type = 'check-ins') as check_ins_rank,
      max(s.rank) filter (where c.type = 'streak') as streak_rank
    from challenge c
    join standing s on s.challenge_id = c.id
    where c.week_start >= week_of(domain_now()) - 14
    group by 1, 2, 3
  ) member_rank
  group by 1, 2
) r
where r.group_id = w.group_id and r.week_start = w.week_start;

-- What the member of a group reads when a week has ended, without what all members read.
create function week_ended_content(week_start date, scores integer[]) returns jsonb
language sql stable
return jsonb_build_object(
  'week_start', week_start,
  'message', to_char(week_start, '"Week "FMIW" has ended"')
    || case when scores[1] is null and scores[4] is null then '. See who won.'
      else ': you came ' || concat_ws(' and ', '#' || scores[1] || ' in check-ins',
        '#' || scores[4] || ' in streak') || '.' end,
  'you', case when scores[1] is null and scores[4] is null then '{}'
    else jsonb_build_object(
      'check-ins', jsonb_build_object('rank', scores[1], 'value', scores[2],
        'previous_rank', case when scores[1] is not null then scores[3] end),
      'streak', jsonb_build_object('rank', scores[4], 'value', scores[5],
        'previous_rank', case when scores[4] is not null then scores[6] end)) end);

-- What a recipient may see; expired means gone, whether or not retention has run. Older notices hold some
-- or all of their content themselves. A subquery and no join, so that a notice can be marked as read here.
create or replace view visible_notification as
select slot, created_at, id, user_id, group_id, type, challenge_id,
  case when type = 'week_ended' then coalesce((
      select w.content from week_notice w
      where w.group_id = n.group_id
        and w.week_start = coalesce(n.week_start, (n.content ->> 'week_start')::date)), '{}')
    || case when scores is null then content else week_ended_content(week_start, scores) end
    else content end as content,
  is_read, changed_at
from notification n
where created_at > domain_now() - interval '7 days';

-- After the update and not before it: a trigger before it makes every update of a board compute the
-- generated columns again.
drop trigger challenge_renamed on challenge;
create trigger challenge_renamed after update of id on challenge
for each row when (old.id <> new.id) execute function challenge_renamed();

-- As in 0013_check_boards_by_statement.sql, in one look at all boards instead of a look for each. By an
-- array, because as a join the planner may read all entries.
create or replace function challenge_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'boards are removed at READ COMMITTED only'
      using errcode = '25001', hint = 'Nothing was removed. An older snapshot misses new entries.';
  end if;
  if exists (select from entry where challenge_id = any (array(select id from old_row))) then
    raise foreign_key_violation using message = 'a challenge that is removed still has entries',
      hint = 'Nothing was removed. Remove its entries in the same statement.';
  end if;
  return null;
end $$
