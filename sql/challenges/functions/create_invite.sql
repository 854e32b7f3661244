-- Creates an invite to a group. If the caller does not send a token (32 hexadecimal digits), the function generates a
-- token from 128 random bits. Only the SHA-256 hash of the token is stored. A repeated call with the same token returns
-- the same response, even if the limit on invites is reached. The call locks the group, so the limit on invites is
-- exact. Index: invite_creator.
create or replace function create_invite(actor text, group_id text, token text default null)
returns invite_answer language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(token)]);
  at constant timestamptz := domain_now();
  digits text := lower(token collate "C");
  hash bytea;
  it groups;
  made invite;
  is_new boolean;
  most constant integer := (select s.invites_a_day from setting s);
begin
  perform require_actor(actor);
  if digits !~ '^[0-9a-f]{32}$' then
    perform refuse('invalidInput', 'the token of an invite is 32 hexadecimal digits',
      'Nothing was changed. Send 128 random bits, or none.');
  end if;
  it := lock_group(group_id);
  perform require_member(actor, it.id);
  -- Two UUIDs are needed, because one UUID has only 122 random bits.
  digits := coalesce(digits, encode(substr(sha256(
    uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 1, 16), 'hex'));
  hash := sha256(convert_to(digits, 'UTF8'));
  insert into invite (token_hash, group_id, created_by, created_at, expires_at)
  select hash, it.id, actor, at, at + in_seconds(s.invite_age) from setting s
  on conflict (token_hash) do nothing;
  is_new := found;
  select * into made from invite i where i.token_hash = hash;
  if (made.group_id, made.created_by) is distinct from (it.id, actor::identifier) then
    perform refuse('conflictingRepeat', 'there is an invite of another call with this token',
      'Nothing was changed. Send a new token for a new invite.');
  end if;
  if is_new then
    if (
      select count(*) from (
        select from invite i where i.created_by = actor and i.created_at > at - interval '24 hours'
        -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
        and i.created_at <= at + interval '1 minute'
        limit most + 1) i) > most then
      perform refuse_limit('invites_a_day', format('user %s created too many invites within a day',
        quote_literal(actor)));
    end if;
    insert into usage_log (recorded_at, kind, group_id, user_id, invite_id)
    values (at, 'invite_created', it.id, actor, made.id);
  end if;
  return row(made.id, digits, made.expires_at)::invite_answer;
end $$;

comment on function create_invite is
  'A member makes an invite to the group. Safe to repeat with a token of the caller.'
