-- Deletes the actor's account, and all users that were merged into it.
create or replace function delete_account(actor text) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  perform end_account(actor);
end $$;

comment on function delete_account is 'Deletes the account of the actor.'
