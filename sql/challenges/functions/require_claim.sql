-- Refuses a call in the name of another user than this transaction speaks for. Not where there are no roles, and
-- not of those who may speak for everybody: a trusted server (api), who runs Baton, and whoever has the rights of
-- the function anyway. Everybody else is checked, also a superuser who acts as a user.
-- Reads the table instead of asking role_of, which would be planned anew in each transaction.
create or replace function require_claim(actor text) returns void
language plpgsql stable as $$
declare
  its text;
  who name;
begin
  select a.prefix into its from access a;
  if not found then
    return;
  end if;
  who := caller();
  -- The usual one, before the catalog is asked for logins that are members.
  if who = its || '_api' then
    return;
  elsif who not in (its || '_user', its || '_anon') and exists (
    select from pg_roles r
    where r.rolname = any (array[current_user, its || '_api', its || '_owner', its || '_migrator',
        its || '_worker', its || '_operator']::name[])
      and pg_has_role(who, r.oid, 'usage')) then
    return;
  elsif (current_actor() = actor) is not true then
    perform refuse('notAuthenticated', format('this transaction does not speak for user %s',
      quote_nullable(left(actor, 64))),
      'Nothing was changed. Set the role and a claim of this user in the same transaction: docs/security.md.');
  end if;
end $$
