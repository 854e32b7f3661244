-- Removes a user from the winners and ranks in the records of closed weeks. When the next week is closed, its ranks are
-- compared with the ranks in the record. A record is stored for longer than its week's boards, so the function does not
-- find the weeks through the boards. The index of closed_week starts with the week, so the function looks up the groups
-- in each stored week. Index: closed_week_pkey.
create or replace function anonymise_weeks(of_groups text[], of_user text, tombstone text) returns void
language sql as $$
  with recursive week as (
    select min(w.week_start) as week_start from closed_week w
    union all
    select (select min(w.week_start) from closed_week w where w.week_start > l.week_start)
    from week l
    where l.week_start is not null
  )
  update closed_week w
  set members = array_replace(w.members, of_user, tombstone),
    content = case when w.content is null then null else jsonb_set(w.content, '{boards}', (
      select jsonb_object_agg(b.key, jsonb_set(b.value, '{winners}', coalesce((
        select jsonb_agg(case when x.winner ->> 'user' = of_user
            then jsonb_build_object('user', tombstone, 'name', 'Former member')
            else x.winner end order by x.n)
        from jsonb_array_elements(b.value -> 'winners') with ordinality x (winner, n)), '[]')))
      from jsonb_each(w.content -> 'boards') b)) end
  where w.week_start = any (array(select l.week_start from week l)) and w.group_id = any (of_groups)
    and of_user = any (w.members)
$$
