-- The fence: fails if fewer runs carry the token than were claimed. It runs in the server, so that the check and COMMIT
-- are sent together and a lost claim can never commit.
create or replace function check_claim(held bigint, claimed bigint) returns void
language plpgsql as $$
begin
  if held is distinct from claimed then
    raise exception 'only % of % claimed runs still carry the token', held, claimed
      using errcode = 'ZB011', hint = 'Another worker has them; this work is rolled back.';
  end if;
end $$
