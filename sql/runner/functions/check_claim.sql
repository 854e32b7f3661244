-- Raises an error if fewer runs have the fencing token than were claimed. The server performs the check, so that the
-- client can send the check and COMMIT together. A worker that has lost its claim to another worker cannot commit.
create or replace function check_claim(held bigint, claimed bigint) returns void
language plpgsql as $$
begin
  if held is distinct from claimed then
    raise exception 'only % of % claimed runs still carry the token', held, claimed
      using errcode = 'ZB011', hint = 'Another worker has them; this work is rolled back.';
  end if;
end $$
