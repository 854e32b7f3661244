-- Applies a change to a user's data to the open boards. The name and the photo are updated immediately. If the user
-- stops sharing workouts, the entries are hidden until sharing is switched on again. Members are not notified of rank
-- changes that result from hidden entries. Closed boards do not change. docs/internals/write-path.md describes the
-- locks and interleavings.
create or replace function user_changed() returns trigger
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  at constant timestamptz := domain_now();
  is_switched constant boolean := old.shares_workouts <> new.shares_workouts;
  boards uuid[];
begin
  -- This update waits for a call that is recording a workout, so that the next statements see the call's entries. A
  -- later call waits for this transaction, detects the user's new version, and starts again.
  update member m set user_version = new.version
  where m.user_id = new.id;
  if is_switched and new.shares_workouts then
    -- A pause that a wrong clock has stored may begin in the future.
    update sharing_pause p set ended_at = greatest(at, p.began_at) where p.user_id = new.id and p.ended_at is null;
  elsif is_switched then
    -- If one of the user's sharing pauses already began at this time, that pause continues.
    insert into sharing_pause (user_id, began_at) values (new.id, at)
    on conflict (user_id, began_at) do update set ended_at = null;
  end if;
  -- The boards are locked before the entries are updated, so that no transaction closes the boards in between. The
  -- order is the same as in cancel_boards, so that the two functions do not deadlock.
  boards := array(
    select c.id from challenge c
    where c.state = 'open'
      and c.group_id = any (array(select m.group_id from member m where m.user_id = new.id))
    order by c.week_start, c.group_id, c.type
    for key share);
  update entry e
  set display_name = new.display_name, photo_url = new.photo_url,
    hidden = case
      when not is_switched then e.hidden
      when not new.shares_workouts then true
      -- A former member's entry stays hidden.
      else e.hidden and m.left_at is not null
    end
  from challenge c
  join member m on m.group_id = c.group_id and m.user_id = new.id
  where c.id = any (boards) and e.challenge_id = c.id and e.user_id = new.id
    and (is_switched
      or (e.display_name, e.photo_url) is distinct from (new.display_name, new.photo_url));
  return null;
end $$
