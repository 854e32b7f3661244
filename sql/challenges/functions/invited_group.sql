-- Returns the group to which a token currently invites. If the invite is missing, expired or revoked, or if the group
-- is not active, the result is null. The function finds the invite by the token's hash, because the token itself is not
-- stored.
create or replace function invited_group(token text) returns text
language sql stable
return (
  select i.group_id
  from invite i
  join groups g on g.id = i.group_id and g.is_active
  where i.token_hash = sha256(convert_to(lower(token collate "C"), 'UTF8')) and i.revoked_at is null
    and i.expires_at > domain_now()
  union all
  select g.id from groups g, setting s where s.legacy_invites and g.id = token and g.is_active
  limit 1
)
