-- Merges the presences of two users by the rules in docs/whosthere/rules.md. The function runs before the memberships
-- are merged, because a user who is not in a group cannot be at its place. Locks: the users' rows of member, their
-- presences in order of id, their visits. Index: member_pkey, presence_user, visit_user, first_arrival_user,
-- presence_command_pkey.
create or replace function merge_presences(gone text, account text) returns void
language plpgsql as $$
begin
  perform from member m where m.user_id in (gone, account) order by m.group_id, m.user_id for no key update;
  perform from presence p where p.user_id in (gone, account) order by p.id for update;
  perform settle_presences(
    array(select p.id from presence p where p.user_id in (gone, account)), domain_now());
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
  delete from visit v
  using visit w
  where v.user_id in (gone, account) and w.user_id in (gone, account) and v.group_id = w.group_id
    and v.departure is null and w.departure is null and (v.arrival, v.id) > (w.arrival, w.id);
  update visit v set user_id = account where v.user_id = gone;
  update first_arrival f set user_id = account where f.user_id = gone;
  delete from presence_command c
  using presence_command d
  where c.user_id = gone and d.user_id = account and d.id = c.id;
  update presence_command c set user_id = account where c.user_id = gone;
end $$
