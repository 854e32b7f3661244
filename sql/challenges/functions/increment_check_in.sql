-- Records one more check-in at the current time. If the caller passes a key, the key becomes the workout's id, so a
-- repeated call adds nothing. If the key is omitted, each call records a new workout, so a retried call is counted
-- twice.
create or replace function increment_check_in(actor text, challenge_id uuid, key text default null)
returns workout_answer
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(key)]);
begin
  perform require_claim(actor);
  -- A retry receives the first response, even after the week has ended.
  if not exists (select from workout w where w.user_id = actor and w.workout_id = key) then
    perform check_board_call(actor, challenge_id, 'check-ins');
  end if;
  return record_workout(actor, coalesce(key, 'check-in/' || gen_random_uuid()));
end $$;

comment on function increment_check_in is
  'One more check-in of the actor, now. Safe to repeat with the same key; at least once without one.'
