-- Makes the actor a member of the group that a token invites to; who was one before comes back as the same.
-- An invite that is no good is an answer and not an error: an error would take back the count of attempts.
-- docs/groups.md has the order of locks.
create or replace function join_group(actor text, token text) returns join_answer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  at constant timestamptz := domain_now();
  invited text;
  it groups;
  other text;
  earlier timestamptz;
  is_back boolean;
begin
  perform require_actor(actor);
  perform count_attempt(actor);
  invited := invited_group(token);
  if invited is not null then
    it := lock_group(invited);
    -- Again, now that nobody can revoke it or delete the group.
    invited := invited_group(token);
  end if;
  if invited is null then
    return row('inviteInvalid', null, null)::join_answer;
  end if;
  update invite_attempt a set attempts = a.attempts - 1 where a.user_id = actor;
  select a.group_id into other from active_group a where a.user_id = actor;
  if found then
    perform refuse_second_group(actor, other);
  elsif it.member_count >= it.max_members then
    perform refuse('groupFull', format('group %s has all of its %s members', quote_literal(invited),
      it.max_members), 'Nothing was changed. Try again when a member has left.');
  end if;
  -- Held before it is changed, because its workouts lock it first too.
  select m.left_at into earlier from member m
  where m.group_id = invited and m.user_id = actor for no key update;
  is_back := found;
  if is_back then
    update member m set left_at = null where m.group_id = invited and m.user_id = actor;
  else
    insert into member (group_id, user_id, joined_at) values (invited, actor, at);
  end if;
  if not is_back or earlier <= at - interval '24 hours' then
    perform tell_new_member(invited, actor);
  end if;
  return row(null, invited, (group_row(invited, actor)).joined_at)::join_answer;
end $$;

comment on function join_group is
  'Makes the actor a member by an invite. Repeated: alreadyInGroup, with the same group.'
