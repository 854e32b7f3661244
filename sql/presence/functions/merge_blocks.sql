-- Moves the blocks and reports of an anonymous user to an account, for merge_users. A block between the two users is
-- deleted. The caller must have locked both users. Indexes: user_block_pkey, user_block_blocked,
-- user_report_reporter, user_report_reported.
create or replace function merge_blocks(gone text, account text) returns void
language plpgsql as $$
begin
  insert into user_block (user_id, blocked_user, created_at)
  select account, b.blocked_user, b.created_at from user_block b where b.user_id = gone and b.blocked_user <> account
  on conflict do nothing;
  insert into user_block (user_id, blocked_user, created_at)
  select b.user_id, account, b.created_at from user_block b where b.blocked_user = gone and b.user_id <> account
  on conflict do nothing;
  delete from user_block b where b.user_id = gone or b.blocked_user = gone;
  update user_report r set reporter = account where r.reporter = gone;
  update user_report r set reported = account where r.reported = gone;
end $$
