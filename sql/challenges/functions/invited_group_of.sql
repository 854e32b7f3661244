-- Returns the group to which a token currently invites a user, or null. If the creator of the invite has blocked the
-- user, the result is null, as for an unknown token. Indexes: invite_token, user_block_pkey.
-- needs: invited_group
create or replace function invited_group_of(token text, of_user text) returns text
language sql stable
return (
  select g.id
  from (select invited_group(token) as id) g
  where not exists (
    select from invite i
    join user_block b on b.user_id = i.created_by and b.blocked_user = of_user
    where i.token_hash = sha256(convert_to(lower(token collate "C"), 'UTF8')))
)
