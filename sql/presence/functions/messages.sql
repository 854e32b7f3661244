-- Returns one page of a group's messages, newest first. The next page starts after the last message of the returned
-- page, even if several messages have the same timestamp. A message from a user whom the actor has blocked looks like a
-- deleted message. Index: message_history of each partition, user_block_pkey.
create or replace function messages(
  actor text, group_id text, before_at timestamptz default null, before_id uuid default null, page integer default 50
) returns setof message_answer language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
  blocked text[];
begin
  perform require_member(actor, messages.group_id);
  if page is null or page not between 1 and 100 then
    perform refuse('invalidInput', format('a page of %s messages is none', coalesce(page::text, 'no')),
      'Nothing was read. Ask for 1 to 100.');
  elsif (before_at is null) <> (before_id is null) then
    perform refuse('invalidInput', 'the last message of a page is its time and its id',
      'Nothing was read. Send both, or neither.');
  end if;
  blocked := array(select b.blocked_user from user_block b where b.user_id = actor);
  return query
  select m.id, m.group_id::text, m.user_id::text, case when h.is_hidden then '' else m.content end, m.created_at,
    m.deleted_at is not null or h.is_hidden
  from (
    select * from message n
    where n.group_id = messages.group_id and (n.created_at, n.id) < (
      coalesce(before_at, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by n.created_at desc, n.id desc
    limit page
  ) m
  cross join lateral (select coalesce(m.user_id = any (blocked), false) as is_hidden) h
  order by m.created_at desc, m.id desc;
end $$;

comment on function messages is 'A page of a group''s messages, newest first.'
