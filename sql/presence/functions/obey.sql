-- Executes a command exactly once. One user's commands in one group are never concurrent, because each command locks
-- the user's row in `member`. A concurrent command with the same id in another group waits because of the unique key on
-- the id. The function ends an expired presence before it executes the command, so that the outcome never depends on
-- the timing of jobs. Locks: see docs/whosthere/rules.md. Index: member_pkey, presence_pkey, presence_command_pkey,
-- presence_command_recent.
create or replace function obey(actor text, command presence_call) returns presence_answer
language plpgsql as $$
declare
  it presence;
  earlier presence_command;
  at timestamptz;
  outcome text;
  most constant integer := (select s.commands_an_hour from setting s);
begin
  perform require_actor(actor);
  perform check_command(command);
  perform from member m
  where m.group_id = command.group_id and m.user_id = actor and m.left_at is null
  for no key update;
  if not found then
    perform require_member(actor, command.group_id);
    raise serialization_failure using
      message = format('user %s became a member of group %s at this moment', quote_literal(actor),
        quote_literal(command.group_id)),
      hint = 'Nothing was changed. Try again.';
  end if;
  it := lock_presence(actor, command.group_id);
  select * into earlier from presence_command p where p.user_id = actor and p.id = command.id;
  if earlier.id is not null then
    perform check_repeat(earlier, command);
    return presence_answer(earlier.outcome, true, it);
  end if;
  -- The limit on commands does not apply to the manual check-out of a present user.
  if not (command.action = 'checkOut' and command.source = 'manual' and coalesce(it.is_present, false))
    and (
      select count(*) from (
        select from presence_command p
        where p.user_id = actor and p.answered_at > domain_now() - interval '1 hour'
          -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
          and p.answered_at <= domain_now() + interval '1 minute'
        limit most) p) >= most then
    perform refuse_limit('commands_an_hour', format('user %s sent too many commands within an hour',
      quote_literal(actor)));
  end if;
  -- The time of this command must not precede the user's last change. A last change in the future is ignored, because
  -- it was recorded while the clock was wrong.
  at := case when it.changed_at <= domain_now() + interval '1 minute' then greatest(domain_now(), it.changed_at)
    else domain_now() end;
  outcome := judge_command(actor, command, it, at);
  if outcome = 'accepted' and command.action = 'checkIn' then
    it := begin_presence(actor, command, it, at);
  elsif outcome = 'accepted' then
    perform end_presences(array[it.id], at, command.source::presence_source, command.source = 'automatic');
    select * into it from presence p where p.id = it.id;
  elsif outcome = 'unchanged' and command.action = 'checkIn' and command.source = 'automatic' then
    update presence p
    set heard_at = case when p.heard_at <= at + interval '1 minute' then greatest(p.heard_at, at) else at end
    where p.id = it.id;
  end if;
  insert into presence_command (user_id, id, group_id, action, source, asked_at, stay, outcome, answered_at)
  values (actor, command.id, command.group_id, command.action, command.source::presence_source, command.asked_at,
    command.stay, outcome, at)
  on conflict do nothing;
  if not found then
    perform refuse_repeat(command.id);
  end if;
  return presence_answer(outcome, false, it);
end $$
