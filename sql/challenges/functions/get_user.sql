-- Returns the actor's own row, including the columns that no other user may see.
create or replace function get_user(actor text) returns user_answer
language plpgsql stable security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  return user_row(actor);
end $$;

comment on function get_user is 'The actor with address, provider, group, privacy and zone.'
