-- Sets whether a user shares workouts from now on. While sharing is off, the user's entries of open weeks are hidden,
-- and workouts during this time never count. If the user switches sharing on again, the entries are shown again. A call
-- with the current value changes nothing. The trigger user_changed applies the change, for every writer of the column.
create or replace function update_privacy_settings(actor text, shares_workouts boolean) returns void
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  if shares_workouts is null then
    perform refuse('invalidInput', format('privacy settings of user %s: whether workouts are shared is missing',
      quote_literal(actor)), 'Nothing was changed. Send true or false.');
  end if;
  update users u set shares_workouts = update_privacy_settings.shares_workouts
  where u.id = actor and u.shares_workouts <> update_privacy_settings.shares_workouts;
end $$;

comment on function update_privacy_settings is
  'Whether the workouts of the actor are shared. Safe to repeat.'
