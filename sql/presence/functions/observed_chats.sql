-- Returns the newest messages of chats for all their observers. The refused_viewers function returns the observers who
-- may not read the messages. For a chat without messages, the result has one row with null as the message. Index:
-- groups_pkey, group_chat_pkey, message_history of each partition.
-- needs: message_row
create or replace function observed_chats(of_groups text[], page integer)
returns table (number bigint, version bigint, message message_answer)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select o.number, coalesce(c.version, 0), m.it
  from unnest(of_groups) with ordinality o (group_id, number)
  join groups g on g.id = o.group_id
  left join group_chat c on c.group_id = g.id
  left join lateral (
    select message_row(n) as it, n.created_at, n.id from message n
    where n.group_id = g.id
    order by n.created_at desc, n.id desc
    limit page
  ) m on true
  order by o.number, m.created_at desc, m.id desc;
end $$;

comment on function observed_chats is 'The newest messages of chats, for all who observe them.'
