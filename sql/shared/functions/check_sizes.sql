-- Rejects a call with a parameter of more than 64 KiB, before the call copies or reads the parameter. Each API function
-- calls the check in its first declaration.
create or replace function check_sizes(sizes integer[]) returns boolean
language plpgsql immutable as $$
begin
  if 65536 < any (sizes) then
    perform refuse('invalidInput', 'a parameter has more than 65,536 bytes', 'Nothing was changed. Send a shorter text.');
  end if;
  return true;
end $$
