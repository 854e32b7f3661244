-- Removes a user from the winners and ranks in the records of closed weeks. When the next week is closed, its ranks are
-- compared with the ranks in the record. The index of closed_week starts with the week, so the function finds the weeks
-- through the boards of the groups.
create or replace function anonymise_weeks(of_groups text[], of_user text, tombstone text) returns void
language sql as $$
  update closed_week w
  set members = array_replace(w.members, of_user, tombstone),
    content = case when w.content is null then null else jsonb_set(w.content, '{boards}', (
      select jsonb_object_agg(b.key, jsonb_set(b.value, '{winners}', coalesce((
        select jsonb_agg(case when x.winner ->> 'user' = of_user
            then jsonb_build_object('user', tombstone, 'name', 'Former member')
            else x.winner end order by x.n)
        from jsonb_array_elements(b.value -> 'winners') with ordinality x (winner, n)), '[]')))
      from jsonb_each(w.content -> 'boards') b)) end
  from (
    select distinct c.group_id, c.week_start from challenge c where c.group_id = any (of_groups)) c
  where w.week_start = c.week_start and w.group_id = c.group_id and of_user = any (w.members)
$$
