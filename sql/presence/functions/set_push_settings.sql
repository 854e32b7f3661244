-- Replaces the kinds of push notifications that the actor mutes, and the quiet hours. The quiet hours are two times in
-- the form HH:MM in the actor's time zone, and may span midnight. Locks: the user, FOR KEY SHARE, then the user's row
-- in push_setting.
create or replace function set_push_settings(
  actor text, muted text[], quiet_from text default null, quiet_until text default null
) returns void language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), pg_column_size(muted), octet_length(quiet_from),
    octet_length(quiet_until)]);
  hours constant text := '^([01][0-9]|2[0-3]):[0-5][0-9]$';
begin
  perform require_actor(actor);
  if muted is null or not muted <@ array['message', 'first_arrival'] then
    perform refuse('invalidInput', 'the muted kinds are not a list of known kinds',
      'Nothing was changed. Send any of message and first_arrival.');
  elsif num_nulls(quiet_from, quiet_until) = 1 or quiet_from !~ hours or quiet_until !~ hours
    or quiet_from = quiet_until then
    perform refuse('invalidInput', 'quiet hours are two different times, or none',
      'Nothing was changed. Send both times as HH:MM, or neither.');
  end if;
  perform from users u where u.id = actor for no key update;
  -- The account may have been deleted or merged during the wait for the lock.
  perform require_actor(actor);
  insert into push_setting as s (user_id, muted, quiet_from, quiet_until)
  values (actor, array(select distinct k from unnest(set_push_settings.muted) k order by k),
    set_push_settings.quiet_from::time, set_push_settings.quiet_until::time)
  on conflict on constraint push_setting_pkey do update
  set muted = excluded.muted, quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until;
end $$;

comment on function set_push_settings is 'Changes which pushes the actor wants, and when none. Safe to repeat.'
