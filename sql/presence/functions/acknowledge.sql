-- Records that achievements were shown to the actor, and returns the achievements that are shown for the first time.
-- Achievements that the actor has not unlocked are ignored. If two devices call the function concurrently, only one
-- device receives each achievement. Locks: the returned rows, in order of type. Index: unlock_pkey.
create or replace function acknowledge(actor text, types text[]) returns table (type text)
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), pg_column_size(types)]);
begin
  perform require_actor(actor);
  if types is null or cardinality(types) > 100 then
    perform refuse('invalidInput', format('%s achievements at once are none or too many',
      coalesce(cardinality(types)::text, 'null')), 'Nothing was changed. Send 100 at most.');
  end if;
  return query
  with shown as materialized (
    select u.achievement from unlock u
    where u.user_id = actor and u.achievement = any (types) and u.seen_at is null
    order by u.achievement
    for no key update
  )
  update unlock u set seen_at = domain_now()
  from shown s
  where u.user_id = actor and u.achievement = s.achievement
  returning u.achievement;
end $$;

comment on function acknowledge is 'Says which achievements the actor was shown. Safe to repeat.'
