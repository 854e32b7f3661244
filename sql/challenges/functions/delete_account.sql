-- Deletes the actor's account. The membership ends, and the actor's workouts and notifications are deleted. Closed
-- boards keep the rank and the value of the deleted user, under the name "Former member" and a random id.
-- docs/gymrats/accounts.md describes the lock order and the interleavings with other calls.
create or replace function delete_account(actor text) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
  tombstone constant text := 'former-' || gen_random_uuid();
  own_group text;
  groups_of text[];
  open_boards uuid[];
  boards uuid[];
begin
  perform require_actor(actor);
  -- A call that uses an invite locks the row with the user's attempts first, and then the group.
  insert into invite_attempt as a (user_id, began_at, attempts) values (actor, domain_now(), 0)
  on conflict (user_id) do update set attempts = a.attempts;
  -- A call that changes the user's data locks the user before the memberships.
  perform from users u where u.id = actor for no key update;
  loop
    select a.group_id into own_group from active_group a where a.user_id = actor;
    exit when not found;
    perform leave_group(actor, own_group);
  end loop;
  -- The locks on the actor's rows in `member` wait for any call that is recording one of the actor's workouts. The
  -- recorded workout is then also deleted.
  groups_of := array(
    select m.group_id from member m where m.user_id = actor order by m.group_id for update);
  -- While the actor's row in `users` is locked, no new rows can refer to the actor.
  perform from users u where u.id = actor for update;
  if exists (select from active_group a where a.user_id = actor) then
    raise serialization_failure using
      message = format('user %s joined a group while the account was deleted', quote_literal(actor)),
      hint = 'Nothing was changed. Try again.';
  end if;
  open_boards := array(
    select c.id from challenge c
    where c.group_id = any (groups_of) and c.state = 'open'
    order by c.week_start, c.group_id, c.type
    for key share);
  -- While the rows in board_version are locked, no other transaction can publish these boards' ranks or notify members
  -- of them.
  boards := array(
    select v.challenge_id from board_version v
    where v.challenge_id = any (array(
      select c.id from challenge c where c.group_id = any (groups_of)))
    order by v.challenge_id
    for update);

  -- The ledger is deleted before the entries, because the ledger's trigger derives the entries of open boards again.
  delete from workout w where w.user_id = actor;
  delete from workout_day d where d.user_id = actor;
  delete from entry e where e.challenge_id = any (open_boards) and e.user_id = actor;
  update entry e set user_id = tombstone, display_name = 'Former member', photo_url = null
  where e.challenge_id = any (boards) and e.user_id = actor;
  -- Clients cache boards by version, so removing a name requires a new version. The standings on open boards are also
  -- renamed, because a notification may be written before the next publisher deletes them.
  with renamed as (
    update standing s set user_id = tombstone, display_name = 'Former member', photo_url = null
    where s.challenge_id = any (boards) and s.user_id = actor
    returning s.challenge_id
  )
  update board_version v set rank_version = v.rank_version + 1
  from renamed r where v.challenge_id = r.challenge_id;
  update silent_move m set user_id = tombstone where m.challenge_id = any (boards) and m.user_id = actor;
  perform anonymise_weeks(groups_of, actor, tombstone);
  perform anonymise_notifications(groups_of, actor, tombstone);
  -- A payload may contain the user's id as text anywhere. Most dead runs have no payload, and are not read.
  update dead_run d
  set payload = replace(d.payload::text, to_jsonb(actor)::text, to_jsonb(tombstone)::text)::jsonb
  where d.payload is not null and strpos(d.payload::text, to_jsonb(actor)::text) > 0;

  -- An operator can still handle the actor's reports about other users. A report's note may contain the actor's name.
  update user_report r set reporter = null, note = '' where r.reporter = actor;
  delete from user_report r where r.reported = actor;
  delete from invite i where i.created_by = actor;
  delete from invite_attempt a where a.user_id = actor;
  update membership i set removed_by = null where i.removed_by = actor;
  update groups g
  set created_by = nullif(g.created_by, actor), deleted_by = nullif(g.deleted_by, actor)
  where g.created_by = actor or g.deleted_by = actor;
  delete from membership i where i.group_id = any (groups_of) and i.user_id = actor;
  delete from member m where m.group_id = any (groups_of) and m.user_id = actor;
  delete from users u where u.id = actor;
end $$;

comment on function delete_account is
  'Deletes the account of the actor. Ranks of closed boards stay, without the name.'
