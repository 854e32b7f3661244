-- Raises the error for a command whose id already belongs to a different command.
create or replace function refuse_repeat(command_id uuid) returns void
language plpgsql as $$
begin
  perform refuse('conflictingRepeat', format('there was another command %s', command_id),
    'Nothing was changed. Send a new id for a new command.');
end $$
