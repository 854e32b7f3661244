-- Returns the names and photos of up to 100 users for a client's cache. The result contains the actor, and the users
-- from the given list who share a group with the actor. Ids of users who do not share a group with the actor are
-- ignored. Index: users_pkey, member_user, member_pkey.
create or replace function get_users(actor text, ids text[])
returns table (user_id text, display_name text, photo_url text, version bigint)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), pg_column_size(ids)]);
begin
  perform require_actor(actor);
  if cardinality(ids) > 100 then
    perform refuse('invalidInput', format('%s users at once are too many', cardinality(ids)),
      'Nothing was read. Ask for 100 at most.');
  end if;
  return query
  select u.id::text, u.display_name, u.photo_url, u.version
  from (select distinct i.id from unnest(ids) i (id)) asked
  join users u on u.id = asked.id
  where u.id = actor or exists (
    select from member mine
    join member theirs on theirs.group_id = mine.group_id and theirs.user_id = u.id
    where mine.user_id = actor and mine.left_at is null and theirs.left_at is null)
  order by u.id;
end $$;

comment on function get_users is 'Name and photo of users with whom the actor is in a group.'
