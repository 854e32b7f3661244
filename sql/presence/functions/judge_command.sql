-- Returns the outcome of a command: `accepted`, or the reason why the command changes nothing. The `it` parameter is
-- the user's current presence, or a row of nulls if the user has no presence.
create or replace function judge_command(actor text, command presence_call, it presence, at timestamptz) returns text
language plpgsql as $$
declare
  is_in constant boolean := command.action = 'checkIn';
  is_there constant boolean := coalesce(it.is_present, false);
begin
  if command.source = 'automatic' then
    if is_there and it.source = 'manual' then
      return 'overridden';
    elsif is_there = is_in then
      return 'unchanged';
    -- A stored change in the future is ignored, because it was recorded while the clock was wrong.
    elsif at < it.automatic_at + interval '30 seconds' and it.automatic_at <= at + interval '1 minute' then
      return 'throttled';
    end if;
  elsif is_there = is_in and (not is_in or it.source = 'manual' and command.stay is null) then
    return 'unchanged';
  end if;
  return case when is_in then coalesce(doubt_place(actor, command, at), 'accepted') else 'accepted' end;
end $$
