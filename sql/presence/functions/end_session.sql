-- Ends a device's session. If the token is unknown or the session has ended, nothing changes.
create or replace function end_session(token text) returns void
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(token)]);
begin
  perform require_read_committed();
  update session s set ended_at = greatest(domain_now(), s.created_at)
  where s.token_hash = sha256(convert_to(token, 'UTF8')) and s.ended_at is null;
end $$;

comment on function end_session is 'Signs a device out. Safe to repeat.'
