-- Moves the messages of an anonymous user to an account. If both users have a token bucket for a group, the bucket with
-- fewer tokens is kept. The caller must have locked the memberships of both users, so that neither user can send a
-- message during the merge.
create or replace function merge_messages(gone text, account text) returns void
language plpgsql as $$
begin
  update message m set user_id = account where m.user_id = gone;
  insert into message_bucket as b (user_id, group_id, full_at)
  select account, g.group_id, g.full_at from message_bucket g where g.user_id = gone
  on conflict (user_id, group_id) do update set full_at = greatest(b.full_at, excluded.full_at);
  delete from message_bucket b where b.user_id = gone;
end $$
