-- The fence: fails where fewer runs carry the token than were claimed. In the server, so that the
-- check and COMMIT travel together and a lost claim can never commit.
create or replace function check_claim(held bigint, claimed bigint) returns void
language plpgsql as $$
begin
  if held is distinct from claimed then
    raise exception 'only % of % claimed runs still carry the token', held, claimed
      using errcode = 'ZB011', hint = 'Another worker has them; this work is rolled back.';
  end if;
end $$
