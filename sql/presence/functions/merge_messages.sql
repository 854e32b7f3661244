-- Moves the messages of one user to the account. If both users wrote to a group, the emptier bucket is used. The caller
-- must have locked the memberships of both users, so that neither sends a message in the meantime.
create or replace function merge_messages(gone text, account text) returns void
language plpgsql as $$
begin
  update message m set user_id = account where m.user_id = gone;
  insert into message_bucket as b (user_id, group_id, full_at)
  select account, g.group_id, g.full_at from message_bucket g where g.user_id = gone
  on conflict (user_id, group_id) do update set full_at = greatest(b.full_at, excluded.full_at);
  delete from message_bucket b where b.user_id = gone;
end $$
