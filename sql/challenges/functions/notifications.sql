-- Returns the actor's visible notifications, newest first. Each page starts after the last row of the previous page.
create or replace function notifications(
  actor text, before timestamptz default null, before_id bigint default null,
  page_size integer default 50
)
returns table (id bigint, created_at timestamptz, expires_at timestamptz, group_id text,
  type notification_type, message text, content jsonb, is_read boolean)
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  if page_size is null or page_size not between 1 and 200 then
    perform refuse('invalidInput', 'a page has 1 to 200 rows', 'Nothing was read. Ask for fewer.');
  end if;
  return query
  select n.id, n.created_at, n.created_at + notification_lifetime(), n.group_id, n.type,
    coalesce(n.content ->> 'message', ''), n.content - 'message', n.is_read
  from visible_notification n
  where n.user_id = actor
    and (before is null or (n.created_at, n.id) < (before, coalesce(before_id, 0)))
  order by n.created_at desc, n.id desc
  limit page_size;
end $$;

comment on function notifications is
  'What the actor was told and may still see, newest first, page by page.'
