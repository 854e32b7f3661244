-- Returns whether this transaction may act for a user, according to its identity claim. If the schema has no roles,
-- every transaction may act for every user. If the schema has roles, the trusted server (api), Baton's roles, and
-- logins with the function's privileges may act for every user. Every other role needs an identity claim for the user.
-- A superuser also needs a claim after SET ROLE to the user role. SECURITY DEFINER functions call this function before
-- they read data. Row-level security policies use current_actor(). The function reads the `access` table directly,
-- because a call to role_of would cost planning time in each transaction.
create or replace function speaks_for(actor text) returns boolean
language plpgsql stable as $$
declare
  its text;
  who name;
begin
  select a.prefix into its from access a;
  if not found then
    return true;
  end if;
  who := caller();
  -- The most frequent role is checked first, because the check for memberships queries the catalog.
  if who = its || '_api' then
    return true;
  elsif who not in (its || '_user', its || '_anon') and exists (
    select from pg_roles r
    where r.rolname = any (array[current_user, its || '_api', its || '_owner', its || '_migrator',
        its || '_worker', its || '_operator']::name[])
      and pg_has_role(who, r.oid, 'usage')) then
    return true;
  end if;
  return (current_actor() = actor) is true;
end $$;

comment on function speaks_for is 'Whether this transaction speaks for a user; without roles it does for all.';
