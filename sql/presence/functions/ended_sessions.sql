-- Returns the positions, in the given array, of the sessions that are unknown, ended or expired. The API calls the
-- function about once a second for all of its streams, so that a stream ends with its session. The parameter contains
-- the SHA-256 of each session token in hexadecimal. Locks: none. Index: session_token.
create or replace function ended_sessions(token_hashes text[]) returns table (number bigint)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select t.number
  from unnest(token_hashes) with ordinality t (hash, number)
  where (
    select true from session s
    where s.token_hash = case when t.hash ~ '^[0-9a-f]{64}$' then decode(t.hash, 'hex') end
      and s.ended_at is null and s.expires_at > (select domain_now())) is null
  order by t.number;
end $$;

comment on function ended_sessions is 'Which of the sessions have ended, for all streams of a server.'
