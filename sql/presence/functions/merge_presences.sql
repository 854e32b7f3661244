-- Merges the presences of two users according to the rules in docs/whosthere/rules.md. The caller must merge the
-- memberships after this call, because only members can be present at a group's place. Visits and dates that both users
-- have in common count once in the merged statistics. Locks: the users' rows in member, presences in order of id,
-- visits and statistics. Index: member_pkey, presence_user, visit_user, first_arrival_user, presence_command_pkey.
-- needs: hold_stats
create or replace function merge_presences(gone text, account text) returns void
language plpgsql as $$
begin
  perform from member m where m.user_id in (gone, account) order by m.group_id, m.user_id for no key update;
  perform from presence p where p.user_id in (gone, account) order by p.id for update;
  perform settle_presences(
    array(select p.id from presence p where p.user_id in (gone, account)), domain_now());
  perform hold_stats(array[gone, account]);
  -- Retention deletes visits, so this query also counts presences.
  update user_stats s
  set groups_visited = greatest(0, s.groups_visited - (
    select count(*)
    from (
      select p.group_id from presence p where p.user_id = gone
      union
      select v.group_id from visit v where v.user_id = gone) g
    where exists (select from presence p where p.group_id = g.group_id and p.user_id = account)
      or exists (select from visit v where v.group_id = g.group_id and v.user_id = account)))
  where s.user_id = gone;
  with other as (
    delete from presence p
    using presence q
    where p.user_id in (gone, account) and q.user_id in (gone, account) and p.group_id = q.group_id
      and (p.is_present, p.is_present and p.source = 'manual', p.changed_at, p.id)
        < (q.is_present, q.is_present and q.source = 'manual', q.changed_at, q.id)
    returning p.*
  )
  update presence p
  set user_id = account, version = greatest(p.version, o.version) + 1,
    -- If both users are present, the earlier visit continues.
    since = case when o.is_present then least(p.since, o.since) else p.since end,
    automatic_at = greatest(p.automatic_at, o.automatic_at)
  from other o
  where p.group_id = o.group_id and p.user_id in (gone, account) and p.id <> o.id;
  update presence p set user_id = account, version = p.version + 1 where p.user_id = gone;
  with twice as (
    delete from visit v
    using visit w
    where v.user_id in (gone, account) and w.user_id in (gone, account) and v.group_id = w.group_id
      and v.departure is null and w.departure is null and (v.arrival, v.id) > (w.arrival, w.id)
    returning v.user_id, v.is_first
  )
  update user_stats s
  set check_ins = s.check_ins - t.visits, first_arrivals = s.first_arrivals - t.firsts
  from (
    select user_id, count(*) as visits, count(*) filter (where is_first) as firsts from twice group by user_id
  ) t
  where s.user_id = t.user_id;
  update visit v set user_id = account where v.user_id = gone;
  update first_arrival f set user_id = account where f.user_id = gone;
  delete from presence_command c
  using presence_command d
  where c.user_id = gone and d.user_id = account and d.id = c.id;
  update presence_command c set user_id = account where c.user_id = gone;
end $$
