-- Writes a member's entries on both boards of a week if any value has changed. If both entries exist, UPDATE is used,
-- so that the insert trigger does not run in every call. If check-ins per day are limited, a member may have an entry
-- on only one of the two boards. The value 0 is written only to an existing entry. A new entry of a user who has left
-- the group or does not share workouts is hidden.
create or replace function write_entries(
  of_user text, member_joined_at timestamptz, member_name text, member_photo text,
  at timestamptz, boards uuid[], new_values integer[], reached timestamptz[],
  is_away boolean default false
) returns void language plpgsql as $$
begin
  if (select count(*) from entry e where e.challenge_id = any (boards) and e.user_id = of_user) = 2
  then
    update entry e
    set value = v.value, reached_at = coalesce(v.reached_at, e.reached_at),
      joined_at = member_joined_at, display_name = member_name, photo_url = member_photo,
      last_updated = case when e.value <> v.value then at else e.last_updated end
    from unnest(boards, new_values, reached) v (board, value, reached_at)
    where e.challenge_id = v.board and e.user_id = of_user
      and (e.value, e.reached_at, e.joined_at)
        is distinct from (v.value, coalesce(v.reached_at, e.reached_at), member_joined_at);
    return;
  end if;
  insert into entry as e (challenge_id, user_id, value, reached_at, joined_at, display_name,
    photo_url, last_updated, hidden)
  select v.board, of_user, v.value, coalesce(v.reached_at, there.reached_at),
    member_joined_at, member_name, member_photo, at, is_away
  from unnest(boards, new_values, reached) v (board, value, reached_at)
  left join entry there on there.challenge_id = v.board and there.user_id = of_user
  where v.value > 0 or there.user_id is not null
  on conflict (challenge_id, user_id) do update
  set value = excluded.value, reached_at = excluded.reached_at, joined_at = excluded.joined_at,
    display_name = excluded.display_name, photo_url = excluded.photo_url,
    last_updated = case when e.value <> excluded.value then at else e.last_updated end
  where (e.value, e.reached_at, e.joined_at)
    is distinct from (excluded.value, excluded.reached_at, excluded.joined_at);
end $$
