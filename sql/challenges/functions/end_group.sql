-- Ends a group without members, by cancelling its open boards and revoking its invites. The caller must have locked the
-- group. The boards are locked FOR UPDATE, which waits for transactions that write entries (FOR KEY SHARE).
create or replace function end_group(of_group text, by_admin text) returns void
language plpgsql as $$
begin
  perform cancel_boards(of_group);
  update invite i set revoked_at = domain_now()
  where i.group_id = of_group and i.revoked_at is null;
  update groups g set is_active = false, ended_at = domain_now(), deleted_by = by_admin where g.id = of_group;
end $$
