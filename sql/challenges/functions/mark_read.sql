-- Marks notifications of the actor as read. The function ignores ids of deleted notifications and of other users'
-- notifications. The rows are locked in a fixed order, so that calls from two phones of one user never deadlock. A
-- transaction that notifies members of changed ranks skips notifications that mark_read has locked.
create or replace function mark_read(actor text, ids bigint[]) returns integer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
  found_there record;
  marked integer := 0;
begin
  perform require_actor(actor);
  if ids is null or cardinality(ids) > 1000 then
    perform refuse('invalidInput', 'mark_read needs the ids of up to 1,000 notifications',
      'Nothing was changed. Send them in parts.');
  end if;
  for found_there in
    select n.partition, n.created_at, n.id from notification n
    where n.user_id = actor and n.id = any (ids) and not n.is_read
      and n.created_at > domain_now() - notification_lifetime()
    order by n.created_at, n.id
    for no key update
  loop
    update notification n set is_read = true, changed_at = domain_now()
    where n.partition = found_there.partition and n.created_at = found_there.created_at
      and n.id = found_there.id;
    marked := marked + 1;
  end loop;
  return marked;
end $$;

comment on function mark_read is 'Marks notifications of the actor as read. Safe to repeat.'
