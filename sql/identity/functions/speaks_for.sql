-- Whether this transaction speaks for a user, by its claim. Where there are no roles every transaction speaks for
-- everybody; with roles so do a trusted server (api), who runs Baton, and whoever has the rights of the function
-- anyway. Everybody else is checked, also a superuser who acts as a user. For functions that run as their owner, to
-- be asked ahead of all else; policies compare current_actor() instead.
-- Reads the table instead of asking role_of, which would be planned anew in each transaction.
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
  -- The usual one, before the catalog is asked for logins that are members.
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
