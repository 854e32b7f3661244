-- Returns the user of a session token. The API calls the function for each request. If the token is unknown, ended or
-- expired, the result is null, and the API returns sessionExpired. Locks: none. Index: session_token.
create or replace function user_of_session(token text) returns text
language plpgsql stable security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(token)]);
begin
  return (
    select s.user_id from session s
    where s.token_hash = sha256(convert_to(token, 'UTF8'))
      and s.ended_at is null and s.expires_at > domain_now());
end $$;

comment on function user_of_session is 'The user whose device has this token; null: the token is unknown or has expired.'
